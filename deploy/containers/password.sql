-- The password of the site's role, when the database of the composition is made.
\getenv password SITE_PASSWORD
ALTER ROLE carcassonne PASSWORD :'password';
