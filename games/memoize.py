"""What a process remembers: values that follow from others, so that nothing here can go stale.

A remembered value is kept under all that it comes from. It is forgotten when others were used more lately.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from django.utils.translation import get_language

Value = TypeVar("Value")
Subject = TypeVar("Subject")
More = ParamSpec("More")


class Recent(Generic[Value]):
    """The values used last, by key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Value | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: Hashable, value: Value) -> None:
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def remembered(
    most: int, *, known_by: Callable[..., Hashable] | None = None
) -> Callable[[Callable[Concatenate[Subject, More], Value]], Callable[Concatenate[Subject, More], Value]]:
    """Let a pure function of a frozen value remember its last *most* answers, by that very object (states and
    pictures are too large to be compared), by its other arguments, or what they are *known_by*, and by the
    reader's language.
    """

    def decorate(
        make: Callable[Concatenate[Subject, More], Value],
    ) -> Callable[Concatenate[Subject, More], Value]:
        recent: Recent[tuple[Subject, Value]] = Recent(most)

        @wraps(make)
        def ask(subject: Subject, *args: Any, **more: Any) -> Value:
            others = known_by(*args, **more) if known_by else (args, tuple(more.items()))
            key = id(subject), get_language(), others
            found = recent.get(key)
            if found is None:
                # The subject stays with its answer, so that no other object gets its id.
                found = subject, make(subject, *args, **more)
                recent.put(key, found)
            return found[1]

        return ask

    return decorate
