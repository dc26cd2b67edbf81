"""Indexes and checks changed while the site runs, for migrations: PostgreSQL does it without a long lock.

SQLite has one writer anyway, and does it at once. A migration with these is not atomic.
"""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import (
    AddConstraintNotValid,
    AddIndexConcurrently,
    RemoveIndexConcurrently,
)
from django.db.migrations import AddConstraint, AddIndex, RemoveIndex
from django.db.models import UniqueConstraint


class AddIndexOnline(AddIndexConcurrently):
    """Adds an index; on PostgreSQL rows are written meanwhile."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        on = AddIndexConcurrently if _postgresql(schema_editor) else AddIndex
        on.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        on = AddIndexConcurrently if _postgresql(schema_editor) else AddIndex
        on.database_backwards(self, app_label, schema_editor, from_state, to_state)


class RemoveIndexOnline(RemoveIndexConcurrently):
    """Removes an index likewise."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        on = RemoveIndexConcurrently if _postgresql(schema_editor) else RemoveIndex
        on.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        on = RemoveIndexConcurrently if _postgresql(schema_editor) else RemoveIndex
        on.database_backwards(self, app_label, schema_editor, from_state, to_state)


class AddUniqueOnline(AddConstraint):
    """Adds a ``UniqueConstraint`` of columns; on PostgreSQL its index is built while rows are written, and
    the constraint, which takes a lock, only takes it over. Again is harmless where that was broken off."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        if not _postgresql(schema_editor) or not self.allow_migrate_model(
            schema_editor.connection.alias, model
        ):
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        quote = schema_editor.quote_name
        assert isinstance(self.constraint, UniqueConstraint)
        columns = ", ".join(quote(model._meta.get_field(name).column) for name in self.constraint.fields)
        table, name = quote(model._meta.db_table), quote(self.constraint.name)
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        schema_editor.execute(f"CREATE UNIQUE INDEX CONCURRENTLY {name} ON {table} ({columns})")
        schema_editor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} UNIQUE USING INDEX {name}")


class AddCheckOnline(AddConstraintNotValid):
    """Adds a check, and reads the rows that are there when nobody has to wait for it any more."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if not _postgresql(schema_editor):
            AddConstraint.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        table = to_state.apps.get_model(app_label, self.model_name)._meta.db_table
        quote = schema_editor.quote_name
        schema_editor.execute(f"ALTER TABLE {quote(table)} VALIDATE CONSTRAINT {quote(self.constraint.name)}")


def _postgresql(schema_editor: Any) -> bool:
    return bool(schema_editor.connection.vendor == "postgresql")
