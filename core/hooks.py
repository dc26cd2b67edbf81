"""A hook, through which applications extend one below, which must not import them.

Each application declares its own in its ``hooks.py``; ``ready()`` of those above fills them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Hook(Generic[T]):
    """Registry of values by name, in the order of registration."""

    def __init__(self) -> None:
        self._values: dict[str, T] = {}

    def register(self, name: str, value: T) -> None:
        """Register *value*, replacing an earlier one of the same *name*."""
        self._values[name] = value

    def get(self, name: str) -> T | None:
        return self._values.get(name)

    def __iter__(self) -> Iterator[T]:
        return iter(self._values.values())
