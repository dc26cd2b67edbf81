"""Checks of objects from outside, shared by all readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import InvalidRecord

FAR = 1000
"""Maximum absolute value of a coordinate; input is checked against it before it becomes a cell."""


def check_keys(values: Mapping[str, Any], needed: set[str], allowed: set[str]) -> None:
    if not isinstance(values, Mapping):
        raise InvalidRecord("not an object")
    for key in sorted(needed - set(values)):
        raise InvalidRecord(f"key missing: {key}")
    for key in sorted(set(values) - needed - allowed):
        raise InvalidRecord(f"unknown key: {key}")


def read_at(at: Any) -> tuple[int, int]:
    if not (
        isinstance(at, list)
        and len(at) == 2
        and all(type(number) is int and abs(number) <= FAR for number in at)
    ):
        raise InvalidRecord("at is not [x, y]")
    return at[0], at[1]
