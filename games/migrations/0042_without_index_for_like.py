"""Where the tables were made by ``0001_squashed_0041``, the index of notices' keys for ``LIKE`` that Django adds
on PostgreSQL goes, as ``0038`` says why: it is made at the end of the migration that makes its table. Nothing
to do elsewhere."""

from django.db import migrations

FIND = """
SELECT indexrelid::regclass::text FROM pg_index
 WHERE indrelid = 'games_notice'::regclass AND indexrelid::regclass::text LIKE 'games_notice_key_%%_like'
"""


def drop_index_for_like(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(FIND, [])
        for (name,) in cursor.fetchall():
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0041_games_interfered_with")]

    operations = [migrations.RunPython(drop_index_for_like, migrations.RunPython.noop)]
