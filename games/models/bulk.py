"""Writing many rows at once.

Django's ``bulk_update`` writes a ``CASE`` with a branch for each row and column, which takes many times as
long to put together, and to read, as the rows take to be written.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.db.models import Model

UPDATE_EACH = "UPDATE {table} SET {assigned} WHERE {key} = %s"
UPDATE_ALL = """
UPDATE {table} SET {assigned} FROM unnest({arrays}) AS new ({columns}) WHERE {table}.{key} = new.{key}
"""


def update_all(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Write the fields *names* of *rows*, which are of one model, as they are now: by one statement on
    PostgreSQL, elsewhere by one that is prepared once. Rows that are gone meanwhile stay gone.

    :raises KeyError: the model has no column for one of *names*
    """
    if not rows:
        return
    meta, quoted = rows[0]._meta, connection.ops.quote_name
    assert meta.pk is not None
    known = {field.name: field for field in meta.concrete_fields}
    fields = [*(known[name] for name in names), meta.pk]
    *columns, key = (quoted(str(field.column)) for field in fields)
    values = [
        [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields] for row in rows
    ]
    table = quoted(meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            assigned = ", ".join(f"{column} = %s" for column in columns)
            cursor.executemany(UPDATE_EACH.format(table=table, assigned=assigned, key=key), values)
            return
        assigned = ", ".join(f"{column} = new.{column}" for column in columns)
        arrays = ", ".join(f"%s::{field.db_type(connection)}[]" for field in fields)
        new = ", ".join([*columns, key])
        sql = UPDATE_ALL.format(table=table, assigned=assigned, arrays=arrays, columns=new, key=key)
        cursor.execute(sql, [list(column) for column in zip(*values, strict=True)])
