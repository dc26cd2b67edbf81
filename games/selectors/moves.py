"""The moves of a game, as stories and pages read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import OuterRef, Subquery

from games.memoize import Recent
from games.models import Game, Move

Stored = Mapping[str, Any]
"""A move as :func:`recent_moves` reads it."""


FIELDS = ("version", "ply", "seat", "action", "events", "how")


_moves: Recent[tuple[Stored, ...]] = Recent("recent moves", 128)
"""Moves read last, by the game's code and version and their number. Versions are never reused."""


def recent_moves(game: Game, after: int | None = None) -> tuple[Stored, ...]:
    """The moves of at least the last two rounds and all after the version *after*, oldest first; one query
    if they aren't remembered.

    Without *after* their number doesn't grow with the game; with it, it does with a player's absence.
    """
    enough = max(4 * game.places + 6, 0 if after is None else game.version - after)
    key = game.code, game.version, enough
    found = _moves.get(key)
    if found is None:
        moves = game.moves.in_force().filter(version__lte=game.version)
        found = tuple(reversed(moves.order_by("-version").values(*FIELDS)[:enough]))
        _moves.put(key, found)
    return found


def last_acts(games: Iterable[Game]) -> dict[int, Move]:
    """What a seat did last in each of *games*, by the game's primary key: a turn, an answer other than
    declining, resigning or losing on time. One query; games without any are left out."""
    acts = Move.objects.in_force().filter(game=OuterRef("pk"), seat__isnull=False)
    told = acts.exclude(action__type="pass").order_by("-version").values("pk")[:1]
    chosen = Game.objects.filter(pk__in=[game.pk for game in games]).values_list(Subquery(told))
    told_of = Move.objects.filter(pk__in=chosen).only("game", "seat", "action", "events", "at")
    return {move.game_id: move for move in told_of}
