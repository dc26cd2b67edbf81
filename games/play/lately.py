"""The moves of a game that pages tell of, remembered from one turn to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.memoize import Recent
from games.models import Game, Move

Stored = Mapping[str, Any]
"""A move by these fields."""

FIELDS = ("version", "ply", "seat", "action", "events", "how")

MOST = 60
"""Moves of one game that are remembered: two rounds of the largest table, and a night's absence."""

_moves: Recent[tuple[Stored, ...]] = Recent("recent moves", 128)
"""The last moves in force of a game, oldest first, by its code and version. Versions are never reused."""


def last_moves(game: Game, enough: int) -> tuple[Stored, ...]:
    """The last *enough* moves that are in force in *game*, or all, oldest first; one query if they aren't
    remembered."""
    key = game.code, game.version
    found = _moves.get(key)
    if found is None or (len(found) < enough and found[0]["version"] > 1):
        moves = game.moves.in_force().filter(version__lte=game.version)
        found = tuple(reversed(moves.order_by("-version").values(*FIELDS)[:enough]))
        if found:
            _moves.put(key, found)
    return found[-enough:]


def keep(game: Game, moves: Iterable[Stored]) -> None:
    """Remember *moves*, the last in force of *game*, oldest first, which were read with those of others."""
    _moves.put((game.code, game.version), tuple(moves))


def remember(code: str, before: int, moves: Iterable[Move]) -> None:
    """Add *moves*, which must be committed, to those that were remembered at the version *before*: from there
    on the next request goes on without a query. None of the earlier ones has been withdrawn."""
    found = _moves.get((code, before))
    if found is None:
        return
    added = tuple({name: getattr(move, name) for name in FIELDS} for move in moves)
    if added:
        _moves.put((code, added[-1]["version"]), (*found, *added)[-MOST:])
