-- Two roles for PostgreSQL: carcassonne_owner owns the tables and migrates them; carcassonne, as whom the site
-- runs, reads and writes rows. It may neither empty a table (TRUNCATE) nor take a trigger away, and so it can't
-- change what is append-only. As a superuser, in the database of the site, once; again does no harm. A database
-- whose tables the site owned until now is handed over.
--
--   su postgres -c "psql --dbname carcassonne --file /srv/carcassonne/deploy/roles.sql"
--   su postgres -c "psql --command '\password carcassonne_owner'"    and the same for carcassonne
\set ON_ERROR_STOP on
BEGIN;
SELECT format('CREATE ROLE %I LOGIN', name)
FROM unnest(ARRAY['carcassonne_owner', 'carcassonne']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
SELECT format('ALTER DATABASE %I OWNER TO carcassonne_owner', current_database()) \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO carcassonne', current_database()) \gexec
ALTER SCHEMA public OWNER TO carcassonne_owner;
SELECT format('ALTER %s public.%I OWNER TO carcassonne_owner',
              CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, relname)
FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')
  -- The sequence of a column goes with its table.
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i') AND relkind = 'S') \gexec
SELECT format('ALTER FUNCTION %s OWNER TO carcassonne_owner', oid::regprocedure)
FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e') \gexec

GRANT USAGE ON SCHEMA public TO carcassonne;
REVOKE CREATE ON SCHEMA public FROM carcassonne, PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM carcassonne;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO carcassonne;
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO carcassonne;
-- And of what migrations make.
ALTER DEFAULT PRIVILEGES FOR ROLE carcassonne_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO carcassonne;
ALTER DEFAULT PRIVILEGES FOR ROLE carcassonne_owner IN SCHEMA public
    GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO carcassonne;
COMMIT;
