"""Raw SQL that returns instances of several models per row.

Building such a query with Django takes many times as long as the database needs to answer it, and that for
every request. So the queries of every turn and every page of a game are raw SQL. The tests would fail if they
named missing tables or columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model
from django.db.models.expressions import Col
from django.views.decorators.debug import sensitive_variables

Converters = list[tuple[int, list[Any], Any]]


class MultiModelRow(NamedTuple):
    """Row of a result."""

    models: tuple[Any, ...]  # an instance of each model, in order; ``None`` where a join found none
    more: tuple[Any, ...]  # values of the other selected columns


class MultiModelQuery:
    """Raw SQL query for rows of several *models*, each keyed by its table's alias in the query.

    In *sql* ``{name}`` stands for all columns of the model of that name. They come first, in the order of
    *models*; then any other selected values, converted as by the fields *more*.
    """

    def __init__(self, sql: str, models: Mapping[str, type[Model]], more: Sequence[Field[Any, Any]] = ()):
        self._sql = sql
        self._models = models
        self._more = tuple(more)
        self._known: WeakKeyDictionary[BaseDatabaseWrapper, Converters] = WeakKeyDictionary()

    @sensitive_variables()  # the rows may hold bags
    def rows(self, params: Sequence[Any], *, ending: str = "") -> list[MultiModelRow]:
        """Return the rows found with *params*; *ending* is appended to the query."""
        connection = connections[DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute(self._text + ending, params)
            fetched = cursor.fetchall()
        converters, rows = self._converters(connection), []
        for row in fetched:
            values = list(row)
            for at, convert, expression in converters:
                for step in convert:
                    values[at] = step(values[at], expression, connection)
            models, begin = [], 0
            for model, names, key in self._shapes:
                end = begin + len(names)
                there = values[begin + key] is not None
                models.append(model.from_db(connection.alias, names, values[begin:end]) if there else None)
                begin = end
            rows.append(MultiModelRow(tuple(models), tuple(values[begin:])))
        return rows

    @cached_property
    def _shapes(self) -> tuple[tuple[type[Model], tuple[str, ...], int], ...]:
        """Each model with the attribute names of its columns, and the index of its primary key."""
        return tuple(
            (
                model,
                tuple(field.attname for field in model._meta.concrete_fields),
                model._meta.concrete_fields.index(model._meta.pk),
            )
            for model in self._models.values()
        )

    @cached_property
    def _text(self) -> str:
        columns = {
            name: ", ".join(f'{name}."{field.column}"' for field in model._meta.concrete_fields)
            for name, model in self._models.items()
        }
        return self._sql.format(**columns)

    @cached_property
    def _expressions(self) -> tuple[Any, ...]:
        fields = [field for model in self._models.values() for field in model._meta.concrete_fields]
        return tuple(Col("", field) for field in (*fields, *self._more))

    def _converters(self, connection: BaseDatabaseWrapper) -> Converters:
        """The columns whose values need conversion, with their converters; cached per connection."""
        converters = self._known.get(connection)
        if converters is None:
            converters = self._known[connection] = self._found_converters(connection)
        return converters

    def _found_converters(self, connection: BaseDatabaseWrapper) -> Converters:
        converters = (
            (
                at,
                connection.ops.get_db_converters(expression) + expression.get_db_converters(connection),
                expression,
            )
            for at, expression in enumerate(self._expressions)
        )
        return [converter for converter in converters if converter[1]]
