"""Rewrite what was written before people stood in it as references, in logs, too; for migrations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from accounts import references


def rewrite(
    schema_editor: Any, model: Any, fields: tuple[str, ...], about: Callable[[Any], Any]
) -> list[Any]:
    """Write references into *fields* of all rows of *model*; *about* gives the players of a row.

    Triggers of the table, which refuse changes of what stands, are off meanwhile. Answers the rows that
    changed.
    """
    changed = []
    with without_triggers(schema_editor, model._meta.db_table):
        for row in model._base_manager.order_by("pk").iterator(chunk_size=500):
            written = {}
            for name in fields:
                text = getattr(row, name)
                stored = references.cut(references.store(text, about(row)), _longest(model, name))
                if stored != text:
                    written[name] = stored
                    setattr(row, name, stored)
            if written:
                model._base_manager.filter(pk=row.pk).update(**written)
                changed.append(row)
    return changed


@contextmanager
def without_triggers(schema_editor: Any, table: str) -> Iterator[None]:
    """Switch the triggers of *table* off. To be used in a transaction, which puts them back if it fails."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            connection.check_constraints()  # a table with some left to check can't be altered
            cursor.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER USER')
            yield
            connection.check_constraints()
            cursor.execute(f'ALTER TABLE "{table}" ENABLE TRIGGER USER')
            return
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
        )
        triggers = cursor.fetchall()
        for name, _sql in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        yield
        for _name, sql in triggers:
            cursor.execute(sql)


def _longest(model: Any, name: str) -> int | None:
    """How long a text the column takes; ``None`` if any."""
    field = model._meta.get_field(name)
    return field.max_length if field.get_internal_type() == "CharField" else None
