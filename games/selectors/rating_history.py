"""The history of a player's rating."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accounts.models import Player
from games import access
from games.access import Visitor
from games.models import Game, Visibility
from ratings.models import Pool, Rating, RatingChange

LATEST = 100


class SeenChange(NamedTuple):
    """A change of a rating, as far as a visitor may see it."""

    change: RatingChange
    found: bool  # whether they may find the game
    game: str  # its name


def load_ratings(player: Player) -> dict[str, Rating]:
    """The ratings of *player* by pool. One query."""
    return {rating.pool: rating for rating in Rating.objects.filter(player=player)}


def load_latest_changes(player: Player, pool: Pool, visitor: Visitor) -> list[SeenChange]:
    """Return the latest rating changes of *player* in *pool*, earliest first, as far as *visitor* may see.
    Two more queries load the other players."""
    changes = RatingChange.objects.filter(player=player, pool=pool)
    game = Game.objects.filter(pk=OuterRef("rated_game"))
    named = changes.annotate(name=Subquery(game.values("name")), found=Exists(_found_by(visitor)))
    seated = named.prefetch_related("rated_game__changes__player")
    latest = seated.select_related("rated_game").order_by("-ended", "-code")[:LATEST]
    return [SeenChange(change, change.found, change.name) for change in latest][::-1]


def _found_by(visitor: Visitor) -> QuerySet[Game]:
    shown = Q(visibility=Visibility.PUBLIC)
    if visitor.is_authenticated:
        shown |= Q(pk__in=access.find_games_at_table(visitor).values("pk"))
    return Game.objects.filter(shown, pk=OuterRef("rated_game"))
