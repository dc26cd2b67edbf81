"""The moves of a game that pages tell of, remembered from one turn to the next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection

from games.memoize import Newest
from games.models import Game, Move

Stored = Mapping[str, Any]
"""A move by these fields."""

FIELDS = ("version", "ply", "seat", "action", "events", "how")

LAST = f"""
SELECT {", ".join(FIELDS)} FROM games_move
 WHERE game_id = %s AND version <= %s AND withdrawn IS NULL
 ORDER BY version DESC LIMIT %s
"""

MOST = 60
"""Moves of one game that are remembered: two rounds of the largest table, and a night's absence."""

_moves: Newest[tuple[Stored, ...]] = Newest("recent moves", 128)
"""The last moves in force of each game at its newest version, oldest first. Versions are never reused."""


def last_moves(game: Game, enough: int) -> tuple[Stored, ...]:
    """The last *enough* moves that are in force in *game*, or all, oldest first; one query if they aren't
    remembered."""
    found = _moves.get(game.code, game.version)
    if found is None or (len(found) < enough and found[0]["version"] > 1):
        found = tuple(reversed(_stored(game, enough)))
        if found:
            _moves.put(game.code, game.version, found)
    return found[-enough:]


def known(game: Game) -> bool:
    """Whether the last moves of *game* are remembered."""
    return _moves.get(game.code, game.version) is not None


def keep(game: Game, moves: Sequence[Stored]) -> None:
    """Remember the last of *moves*, which are those in force of *game*, oldest first."""
    if moves:
        _moves.put(game.code, game.version, tuple(moves[-MOST:]))


def _stored(game: Game, enough: int) -> list[Stored]:
    """The last *enough* moves in force, the newest first; written out, as so many pages ask for them."""
    with connection.cursor() as cursor:
        cursor.execute(LAST, [game.pk, game.version, enough])
        return read_all(cursor.fetchall())


def read_all(rows: Iterable[Sequence[Any]]) -> list[Stored]:
    """Moves whose ``FIELDS`` stand in *rows* as the database has them. Their JSON is read as one text, which
    is quicker than one by one."""
    rows = list(rows)
    texts = ",".join([f"[{action},{events}]" for _version, _ply, _seat, action, events, _how in rows])
    return [
        {"version": version, "ply": ply, "seat": seat, "action": action, "events": events, "how": how}
        for (version, ply, seat, _, _, how), (action, events) in zip(
            rows, json.loads(f"[{texts}]"), strict=True
        )
    ]


def remember(code: str, before: int, moves: Iterable[Move]) -> None:
    """As :func:`add`, of *moves* that were just played."""
    add(code, before, [{name: getattr(move, name) for name in FIELDS} for move in moves])


def add(code: str, before: int, added: Sequence[Stored]) -> None:
    """Add moves, which must be committed, to those that were remembered at the version *before*: from there
    on the next request goes on without a query. None of the earlier ones has been withdrawn."""
    found = _moves.get(code, before)
    if found is not None and added:
        _moves.put(code, added[-1]["version"], (*found, *added)[-MOST:])
