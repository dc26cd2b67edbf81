from django.db import migrations

# Deleting is refused by PostgreSQL alone: SQLite has no other way to empty a table, as tests do.
MADE = {
    "sqlite": [
        "CREATE TRIGGER moderation_stands BEFORE UPDATE ON games_moderationact "
        "BEGIN SELECT RAISE(ABORT, 'acts of moderators are never changed'); END",
    ],
    "postgresql": [
        "CREATE FUNCTION moderation_stands() RETURNS trigger AS $$ "
        "BEGIN RAISE EXCEPTION 'acts of moderators are never changed'; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER moderation_stands BEFORE UPDATE OR DELETE ON games_moderationact "
        "FOR EACH ROW EXECUTE FUNCTION moderation_stands()",
    ],
}
DROPPED = {
    "sqlite": ["DROP TRIGGER moderation_stands"],
    "postgresql": [
        "DROP TRIGGER moderation_stands ON games_moderationact",
        "DROP FUNCTION moderation_stands()",
    ],
}


def make(apps, schema_editor):
    for statement in MADE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def drop(apps, schema_editor):
    for statement in DROPPED[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0025_moderation"),
    ]

    operations = [migrations.RunPython(make, drop)]
