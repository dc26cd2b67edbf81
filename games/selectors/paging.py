"""Keyset pagination: a page begins after the last row of the one before it.

So the last page costs the same as the first, nothing is counted, and rows added or removed meanwhile neither
repeat nor hide others. An address has ``after`` or ``before`` with the values of the columns by which the
list is sorted, which must identify a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, NamedTuple, TypeVar

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Field, Model, Q, QuerySet

Row = TypeVar("Row")
BETWEEN = "~"  # the values of a key


@dataclass(frozen=True, slots=True)
class KeyPage(Generic[Row]):
    """A page of a list, without a number, as rows aren't counted."""

    rows: list[Row]
    previous: str  # the key before which the page before it ends; empty on the first page
    further: str  # the key behind which the next page begins; empty on the last one

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


class PagePlace(NamedTuple):
    """The place where a page begins, and the direction in which it is read."""

    key: tuple[Any, ...] = ()  # the values of the sorted columns; none at the beginning of the list
    back: bool = False  # whether it is read backwards, before the key


class Order(NamedTuple):
    """The columns that sort the rows of *model*, descending with ``-``. Together they must be unique, and an
    index must begin with them."""

    model: type[Model]
    columns: tuple[str, ...]

    def place(self, asked: Mapping[str, Any]) -> PagePlace:
        """Return where the page *asked* for in a query string begins; the first page if that is invalid."""
        for name, back in (("after", False), ("before", True)):
            text = str(asked.get(name, ""))
            parts = text.split(BETWEEN)
            if text and len(parts) == len(self.columns):
                try:
                    return PagePlace(tuple(map(self._value, self.columns, parts)), back)
                except (ValidationError, ValueError, OverflowError):
                    return PagePlace()
        return PagePlace()

    def rows_from(self, rows: QuerySet[Any], place: PagePlace) -> QuerySet[Any]:
        """Return those of *rows* behind *place*, in the order in which they are read from there."""
        columns = [_reverse_column(column) for column in self.columns] if place.back else list(self.columns)
        return rows.filter(_behind(columns, place.key)).order_by(*columns)

    def key_of(self, row: Any) -> str:
        """The key of *row*, for an address."""
        return BETWEEN.join(_text(getattr(row, _name(column))) for column in self.columns)

    def cut(
        self, read: Sequence[Row], place: PagePlace, size: int, key: Callable[[Row], str]
    ) -> KeyPage[Row]:
        """Cut a page of *size* rows from those *read* at *place*, one more if there are more."""
        more = len(read) > size
        rows = list(read[:size])
        if place.back:
            rows.reverse()
        behind, before = (bool(rows), more) if place.back else (more, bool(place.key) and bool(rows))
        return KeyPage(rows, key(rows[0]) if before else "", key(rows[-1]) if behind else "")

    def page(self, rows: QuerySet[Any], place: PagePlace, size: int) -> KeyPage[Any]:
        """The page of *size* rows that begins at *place*; one query."""
        return self.cut(list(self.rows_from(rows, place)[: size + 1]), place, size, self.key_of)

    def _value(self, column: str, text: str) -> Any:
        name = _name(column)
        field: Field[Any, Any] = self.model._meta.pk if name == "pk" else _field(self.model, name)
        value = field.to_python(text)
        field.run_validators(value)
        if value is None or "\0" in text or (isinstance(value, datetime) and value.tzinfo is None):
            raise ValueError(text)
        return value.astimezone(UTC) if isinstance(value, datetime) else value


def _behind(columns: Sequence[str], key: Sequence[Any]) -> Q:
    """The condition for rows after *key*. The first column has its own, so that an index is used."""
    if not key:
        return Q()
    name, beyond = _name(columns[0]), "lt" if columns[0].startswith("-") else "gt"
    further = Q((f"{name}__{beyond}", key[0]))
    if len(key) == 1:
        return further
    return Q((f"{name}__{beyond}e", key[0])) & (further | _behind(columns[1:], key[1:]))


def _field(model: type[Model], name: str) -> Field[Any, Any]:
    field = next(
        (field for field in model._meta.concrete_fields if name in (field.name, field.attname)), None
    )
    if field is None:
        raise FieldDoesNotExist(name)
    return field.target_field if field.is_relation else field  # type: ignore[attr-defined]


def _name(column: str) -> str:
    return column.removeprefix("-")


def _reverse_column(column: str) -> str:
    return _name(column) if column.startswith("-") else f"-{column}"


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
