"""An example of a page of the rules: a little game in notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class Example:
    """Turns of the seats in order, with the answers to decisions; then optionally a drawn tile to be placed,
    or the end of the game. *laid* are tiles placed beforehand, besides the start tile."""

    title: StrOrPromise
    turns: tuple[str, ...]
    drawn: str = ""
    ended: bool = False
    seats: int = 2
    sets: tuple[str, ...] = ()  # besides the base game
    edition: str = "C1"
    options: Mapping[str, Any] = field(default_factory=dict)
    laid: tuple[str, ...] = ()


Examples = Mapping[str, Mapping[str, Example]]
"""Examples by the page that shows them, then by name."""
