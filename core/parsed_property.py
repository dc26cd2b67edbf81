"""A property of a row that parses stored JSON once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

from django.db.models import Model

T = TypeVar("T")


class ParsedProperty(Generic[T]):
    """The JSON in *field* of a row, parsed once by *parse*.

    Unlike with ``cached_property`` the value is never stale: after an assignment to the field or
    ``refresh_from_db`` the field holds another object, which is parsed anew.
    """

    def __init__(self, field: str, parse: Callable[[Any], T]) -> None:
        self._field = field
        self._parse = parse

    def __set_name__(self, owner: type[Model], name: str) -> None:
        self._kept = f"_parsed_{name}"

    @overload
    def __get__(self, row: None, owner: type[Model]) -> Self: ...
    @overload
    def __get__(self, row: Model, owner: type[Model]) -> T: ...
    def __get__(self, row: Model | None, owner: type[Model]) -> Self | T:
        if row is None:
            return self
        stored = getattr(row, self._field)
        kept: tuple[Any, T] | None = row.__dict__.get(self._kept)
        if kept is None or kept[0] is not stored:
            kept = row.__dict__[self._kept] = stored, self._parse(stored)
        return kept[1]
