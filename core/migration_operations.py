"""Migration operations of this project."""

from typing import Any

from django.db.migrations.operations.base import Operation


class RefuseChanges(Operation):
    """Create a trigger that refuses changes of a model's rows (``core.append_only``).

    *deletes*: refuse deletion, too, on PostgreSQL alone: SQLite has no other way to empty a table, as tests
    do. *unless* is an SQL condition on ``OLD`` and ``NEW`` under which a row may be changed. A later
    migration that rebuilds the table on SQLite must create the trigger again.
    """

    reversible = True

    def __init__(self, model_name: str, *, deletes: bool = True, unless: str = "") -> None:
        self.model_name, self.deletes, self.unless = model_name, deletes, unless

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Do nothing: triggers are no part of a model's state."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        table = to_state.apps.get_model(app_label, self.model_name)._meta.db_table
        refusal = f"rows of {table} are never changed"
        if not _postgresql(schema_editor):
            when = f"WHEN NOT ({self.unless}) " if self.unless else ""
            schema_editor.execute(
                f"CREATE TRIGGER {table}_stands BEFORE UPDATE ON {table} {when}"
                f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
            )
            return
        unless = f"IF TG_OP = 'UPDATE' AND {self.unless} THEN RETURN NEW; END IF; " if self.unless else ""
        schema_editor.execute(
            f"CREATE FUNCTION {table}_stands() RETURNS trigger AS $$ "
            f"BEGIN {unless}RAISE EXCEPTION '{refusal}'; END $$ LANGUAGE plpgsql"
        )
        acts = "UPDATE OR DELETE" if self.deletes else "UPDATE"
        schema_editor.execute(
            f"CREATE TRIGGER {table}_stands BEFORE {acts} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_stands()"
        )

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        table = from_state.apps.get_model(app_label, self.model_name)._meta.db_table
        on = f" ON {table}" if _postgresql(schema_editor) else ""
        schema_editor.execute(f"DROP TRIGGER {table}_stands{on}")
        if _postgresql(schema_editor):
            schema_editor.execute(f"DROP FUNCTION {table}_stands()")

    def describe(self) -> str:
        return f"Refuse changes of {self.model_name}"


def _postgresql(schema_editor: Any) -> bool:
    return bool(schema_editor.connection.vendor == "postgresql")
