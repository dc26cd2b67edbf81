"""Statements that are written out and write rows of one model: the counterpart of ``joined``.

What every turn writes is written so; Django would put the same statement together anew each time, at several
times what the database takes for it. As with Django's own ``bulk_create`` nothing hears of it by signals.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.models import Field, Model
from django.views.decorators.debug import sensitive_variables


@sensitive_variables()  # bags are written so, too
def insert(rows: Sequence[Model], *, known_by: tuple[str, ...] = (), update: tuple[str, ...] = ()) -> None:
    """Write *rows*, which are of one model and have no keys yet; afterwards they have. A row that is there
    already *known_by* the values of these fields gets the new values of the fields *update* instead.

    :raises IntegrityError: a row is there already, and it is not said by what it is known
    """
    if not rows:
        return
    model = type(rows[0])
    fields, begin, one, ending = _insert(model, known_by, update)
    batch = max(1, connection.ops.bulk_batch_size(list(fields), list(rows)))
    with connection.cursor() as cursor:
        for at in range(0, len(rows), batch):
            written = rows[at : at + batch]
            params = [value for row in written for value in _values(row, fields, add=True)]
            cursor.execute(f"{begin} {', '.join([one] * len(written))} {ending}", params)
            for row, (key,) in zip(written, cursor.fetchall(), strict=True):
                row.pk = key
                row._state.adding, row._state.db = False, connection.alias


@sensitive_variables()
def update(row: Model, fields: Sequence[str]) -> None:
    """Write these *fields* of *row*, which is there.

    :raises DatabaseError: it is not
    """
    found, text = _update(type(row), tuple(fields))
    with connection.cursor() as cursor:
        cursor.execute(text, [*_values(row, found, add=False), row.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"{type(row).__name__} {row.pk} has no row to be updated.")


@sensitive_variables()
def update_all(rows: Sequence[Model], fields: Sequence[str]) -> None:
    """Write these *fields* of *rows*, which are of one model, as they are now: by one statement on
    PostgreSQL, elsewhere by one that is prepared once. Rows that are gone meanwhile stay gone.

    Django's ``bulk_update`` writes a ``CASE`` with a branch for each row and column, which takes many times
    as long to put together, and to read, as the rows take to be written.

    :raises KeyError: the model has no column for one of *fields*
    """
    if not rows:
        return
    meta = type(rows[0])._meta
    found, text = _update(type(rows[0]), tuple(fields))
    values = [[*_values(row, found, add=False), row.pk] for row in rows]
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.executemany(text, values)
            return
        assigned = ", ".join(f'"{field.column}" = new."{field.column}"' for field in found)
        arrays = ", ".join(f"%s::{field.db_type(connection)}[]" for field in (*found, meta.pk))
        cursor.execute(
            f"UPDATE {meta.db_table} SET {assigned}"
            f" FROM unnest({arrays}) AS new ({_columns((*found, meta.pk))})"
            f' WHERE {meta.db_table}.{meta.pk.column} = new."{meta.pk.column}"',
            [list(column) for column in zip(*values, strict=True)],
        )


def _values(row: Model, fields: Sequence[Field[Any, Any]], *, add: bool) -> list[Any]:
    connection = connections[DEFAULT_DB_ALIAS]
    return [field.get_db_prep_save(field.pre_save(row, add), connection) for field in fields]


@lru_cache(maxsize=50)
def _insert(
    model: type[Model], known_by: tuple[str, ...], update: tuple[str, ...]
) -> tuple[tuple[Field[Any, Any], ...], str, str, str]:
    """The fields of *model* that are written, and the statement: its beginning, one row, its end."""
    fields = tuple(field for field in model._meta.concrete_fields if not field.primary_key)
    begin = f"INSERT INTO {model._meta.db_table} ({_columns(fields)}) VALUES"
    ending = f"RETURNING {model._meta.pk.column}"
    if known_by:
        news = ", ".join(f'"{one.column}" = EXCLUDED."{one.column}"' for one in _fields(model, update))
        ending = f"ON CONFLICT ({_columns(_fields(model, known_by))}) DO UPDATE SET {news} {ending}"
    return fields, begin, f"({', '.join(['%s'] * len(fields))})", ending


@lru_cache(maxsize=200)
def _update(model: type[Model], names: tuple[str, ...]) -> tuple[tuple[Field[Any, Any], ...], str]:
    fields = _fields(model, names)
    news = ", ".join(f'"{field.column}" = %s' for field in fields)
    return fields, f"UPDATE {model._meta.db_table} SET {news} WHERE {model._meta.pk.column} = %s"


def _fields(model: type[Model], names: Sequence[str]) -> tuple[Field[Any, Any], ...]:
    found = {field.name: field for field in model._meta.concrete_fields}
    return tuple(found[name] for name in names)


def _columns(fields: Sequence[Field[Any, Any]]) -> str:
    return ", ".join(f'"{field.column}"' for field in fields)
