"""Caches in the memory of a process: derived values under a key with everything that they depend on.

Keys are values, never addresses of objects, so equal lookups share an entry, and nothing goes stale: a game's
code and version stand for its whole position, as versions are never reused. Eviction is by least recent use.
``docs/caches.md`` lists every cache by its name.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

from django.utils.translation import get_language

Value = TypeVar("Value")
Asked = ParamSpec("Asked")


class LRUCache(Generic[Value]):
    """LRU cache of at most *most* values. *name* describes them."""

    def __init__(self, name: str, most: int) -> None:
        self.name = name
        self.most = most
        self._kept: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = Lock()
        MEMORIES.append(self)

    def get(self, key: Hashable) -> Value | None:
        with self._lock:
            value = self._kept.get(key)
            if value is not None:
                self._kept.move_to_end(key)
            return value

    def put(self, key: Hashable, value: Value) -> None:
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


class LatestVersionCache(Generic[Value]):
    """LRU cache of at most *most* games by code, each with the value of its newest version."""

    def __init__(self, name: str, most: int) -> None:
        self._kept: LRUCache[tuple[int, Value]] = LRUCache(name, most)

    def get(self, code: str, version: int) -> Value | None:
        """Return the value of just that version."""
        kept = self._kept.get(code)
        return kept[1] if kept is not None and kept[0] == version else None

    def newest(self, code: str) -> tuple[int, Value] | None:
        """Return the newest version that is cached, and its value."""
        return self._kept.get(code)

    def put(self, code: str, version: int, value: Value) -> None:
        """Cache *value*, unless a newer one is cached."""
        kept = self._kept.get(code)
        if kept is None or kept[0] <= version:
            self._kept.put(code, (version, value))


MEMORIES: list[LRUCache[Any]] = []
"""All caches of this process."""


def memoize(
    name: str, most: int, *, key: Callable[Asked, Hashable]
) -> Callable[[Callable[Asked, Value]], Callable[Asked, Value]]:
    """Cache the last *most* results of a function under *name*, by *key* of its arguments and the active
    language. The key must contain everything that the result depends on."""
    recent: LRUCache[Any] = LRUCache(name, most)

    def decorate(make: Callable[Asked, Value]) -> Callable[Asked, Value]:
        @wraps(make)
        def answer(*args: Asked.args, **more: Asked.kwargs) -> Value:
            known_by = key(*args, **more), get_language()
            value: Value | None = recent.get(known_by)
            if value is None:
                value = make(*args, **more)
                recent.put(known_by, value)
            return value

        return answer

    return decorate
