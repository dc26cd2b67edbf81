"""The history of a player's rating."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from accounts.models import Player
from games import access
from games.access import Visitor
from games.models import Game, Visibility
from ratings.models import Pool, Rating, RatingChange

LATEST = 100
IN_COURSE = 12


def load_ratings(player: Player) -> dict[str, Rating]:
    """The ratings of *player* by pool. One query."""
    return {rating.pool: rating for rating in Rating.objects.filter(player=player)}


def load_course(player: Player) -> list[int]:
    """Return the ratings of *player* after their latest games of the pool in which they played last, earliest
    first. One query."""
    changes = RatingChange.objects.filter(player=player).order_by("-ended", "-code")
    latest = changes.values("pool")[:1]
    return [change.shown.number for change in changes.filter(pool=Subquery(latest))[:IN_COURSE]][::-1]


def load_change(player: Player, game: Game) -> RatingChange | None:
    """The effect of *game* on the rating of *player*; ``None`` until it is rated. One query."""
    return RatingChange.objects.filter(rated_game=game.pk, player=player).first()


def load_latest_changes(player: Player, pool: Pool, visitor: Visitor) -> Sequence[RatingChange]:
    """Return the latest rating changes of *player* in *pool*, earliest first: each with the ``name`` of its
    game, and whether *visitor* may find that, ``found``. One more query loads the other players."""
    changes = RatingChange.objects.filter(player=player, pool=pool)
    game = Game.objects.filter(pk=OuterRef("rated_game"))
    named = changes.annotate(name=Subquery(game.values("name")), found=Exists(_found_by(visitor)))
    seats = RatingChange.objects.select_related("player").order_by("seat")
    seated = named.prefetch_related(Prefetch("rated_game__changes", seats))
    latest = seated.select_related("rated_game").order_by("-ended", "-code")[:LATEST]
    return list(latest)[::-1]


def _found_by(visitor: Visitor) -> QuerySet[Game]:
    shown = Q(visibility=Visibility.PUBLIC)
    if visitor.is_authenticated:
        shown |= Q(pk__in=access.find_games_at_table(visitor).values("pk"))
    return Game.objects.filter(shown, pk=OuterRef("rated_game"))
