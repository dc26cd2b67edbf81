"""The moves of a game, as stories and pages read them."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import OuterRef, Subquery

from games.models import Game, Move
from games.play import move_cache, positions
from games.play.move_cache import FIELDS, Stored

__all__ = ["FIELDS", "Stored", "load_last_acts", "load_recent_moves"]


def load_recent_moves(game: Game, after: int | None = None) -> tuple[Stored, ...]:
    """Return at least the moves of the last two rounds and all after the version *after*, oldest first. One
    query if they aren't cached.

    Without *after* their number doesn't grow with the game; with it, it does with a player's absence. Callers
    show the board, too: if the whole game has to be read for that, it yields the moves.
    """
    if not move_cache.is_cached(game):
        positions.load_position(game)
    return move_cache.load_last_moves(game, enough(game, after))


def enough(game: Game, after: int | None) -> int:
    """Return the maximum number of moves that :func:`load_recent_moves` returns."""
    return max(4 * game.places + 6, 0 if after is None else game.version - after)


def load_last_acts(games: Iterable[Game]) -> dict[int, Move]:
    """Return the last act of a seat in each of *games*, by the game's primary key: a turn, an answer other
    than declining, resigning or losing on time. One query; games without any are left out."""
    acts = Move.objects.in_force().filter(game=OuterRef("pk"), seat__isnull=False)
    latest = acts.exclude(action__type="pass").order_by("-version").values("pk")[:1]
    chosen = Game.objects.filter(pk__in=[game.pk for game in games]).values_list(Subquery(latest))
    told_of = Move.objects.filter(pk__in=chosen).only("game", "seat", "action", "events", "at")
    return {move.game_id: move for move in told_of}
