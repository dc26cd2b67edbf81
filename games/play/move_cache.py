"""Cache of the last moves of each game, kept from one turn to the next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection

from games.models import Game, Move
from games.process_cache import LatestVersionCache

Stored = Mapping[str, Any]
"""A move as a mapping with the keys ``FIELDS``."""

FIELDS = ("version", "ply", "seat", "action", "events", "how")

LAST = f"""
SELECT {", ".join(FIELDS)} FROM games_move
 WHERE game_id = %s AND version <= %s AND withdrawn IS NULL
 ORDER BY version DESC LIMIT %s
"""

MOST = 60
"""Maximum number of cached moves of a game: two rounds of the largest table, and a night's absence."""

_moves: LatestVersionCache[tuple[Stored, ...]] = LatestVersionCache("recent moves", 128)
"""The last moves in force of each game at its newest version, oldest first. Versions are never reused."""


def load_last_moves(game: Game, enough: int) -> tuple[Stored, ...]:
    """Return the last *enough* moves that are in force in *game*, or all, oldest first; one query if they
    aren't cached."""
    moves = _moves.get(game.code, game.version)
    if moves is None or (len(moves) < enough and moves[0]["version"] > 1):
        moves = tuple(reversed(_load_stored_moves(game, enough)))
        if moves:
            _moves.put(game.code, game.version, moves)
    return moves[-enough:]


def is_cached(game: Game) -> bool:
    """Return whether the last moves of *game* are cached."""
    return _moves.get(game.code, game.version) is not None


def keep(game: Game, moves: Sequence[Stored]) -> None:
    """Cache the last of *moves*, which are all those in force of *game*, oldest first."""
    if moves:
        _moves.put(game.code, game.version, tuple(moves[-MOST:]))


def _load_stored_moves(game: Game, enough: int) -> list[Stored]:
    """The last *enough* moves in force, newest first; raw SQL, as so many pages need them."""
    with connection.cursor() as cursor:
        cursor.execute(LAST, [game.pk, game.version, enough])
        return read_all(cursor.fetchall())


def read_all(rows: Iterable[Sequence[Any]]) -> list[Stored]:
    """Return the moves whose ``FIELDS`` are in *rows*, as they come from the database. Their JSON is parsed
    as one text, which is faster than one by one."""
    rows = list(rows)
    texts = ",".join([f"[{action},{events}]" for _version, _ply, _seat, action, events, _how in rows])
    return [
        {"version": version, "ply": ply, "seat": seat, "action": action, "events": events, "how": how}
        for (version, ply, seat, _, _, how), (action, events) in zip(
            rows, json.loads(f"[{texts}]"), strict=True
        )
    ]


def remember(code: str, before: int, moves: Iterable[Move]) -> None:
    """Add *moves* that were just played to the cache, as :func:`add` does."""
    add(code, before, [{name: getattr(move, name) for name in FIELDS} for move in moves])


def add(code: str, before: int, added: Sequence[Stored]) -> None:
    """Append committed moves to those cached at the version *before*, so that the next request needs no
    query. None of the earlier moves has been withdrawn."""
    moves = _moves.get(code, before)
    if moves is not None and added:
        _moves.put(code, added[-1]["version"], (*moves, *added)[-MOST:])
