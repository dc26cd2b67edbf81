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
