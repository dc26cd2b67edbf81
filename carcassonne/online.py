"""Changes of indexes while the site runs, for migrations: PostgreSQL builds and drops them without a lock.

SQLite has one writer anyway, and does it at once. A migration with these is not atomic.
"""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.migrations import AddIndex, RemoveIndex


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


def _postgresql(schema_editor: Any) -> bool:
    return bool(schema_editor.connection.vendor == "postgresql")
