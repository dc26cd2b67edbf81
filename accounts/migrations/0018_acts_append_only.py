from django.db import migrations

# Closing an account empties what was before and after: nothing else of an act is ever changed. Deleting is
# refused by PostgreSQL alone: SQLite has no other way to empty a table, as tests do.
REFUSAL = "acts on accounts are never changed"
SAME = " AND ".join(
    f"NEW.{name} = OLD.{name}" for name in ("id", "at", "actor_id", "player_id", "act", "why")
)
FORGOTTEN = "NEW.before = '{}' AND NEW.after = '{}'"
MADE = {
    "sqlite": [
        "CREATE TRIGGER accounts_acts_stand BEFORE UPDATE ON accounts_accountact "
        f"WHEN NOT ({SAME} AND {FORGOTTEN}) BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    ],
    "postgresql": [
        "CREATE FUNCTION accounts_acts_stand() RETURNS trigger AS $$ BEGIN "
        f"IF TG_OP = 'UPDATE' AND {SAME} AND {FORGOTTEN} THEN RETURN NEW; END IF; "
        f"RAISE EXCEPTION '{REFUSAL}'; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER accounts_acts_stand BEFORE UPDATE OR DELETE ON accounts_accountact "
        "FOR EACH ROW EXECUTE FUNCTION accounts_acts_stand()",
    ],
}
DROPPED = {
    "sqlite": ["DROP TRIGGER accounts_acts_stand"],
    "postgresql": [
        "DROP TRIGGER accounts_acts_stand ON accounts_accountact",
        "DROP FUNCTION accounts_acts_stand()",
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
        ("accounts", "0001_squashed_0017_players_sanctioned"),
    ]

    operations = [migrations.RunPython(make, drop)]
