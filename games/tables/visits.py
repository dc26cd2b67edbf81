"""Visits: rows that record up to which version each player has seen a game.

A visit begins with a look at the board and ends after ``PAUSE`` without one; reloads and second tabs belong
to it. Playing a turn ends it, too, which follows from the moves (``games/pages/parts/story.py``), so playing
writes nothing here. Looking at a game never changes it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import DatabaseError, connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from accounts.models import Player
from games.access import Visitor
from games.models import Game, How, Move, Seat, Visit

logger = logging.getLogger(__name__)

PAUSE = timedelta(minutes=30)
"""Minimum time between two visits: long enough for a telephone call in the middle of a turn, and short enough
for two looks on one way to work and back to be two visits."""

GRAIN = timedelta(minutes=5)
"""Precision of the stored time of a look: a reload within it writes nothing."""

NOWHERE = -1
"""Seat index that stands for no seat."""

UNKNOWING = (How.PLAN, How.TIME_OUT, How.BOT)
"""Kinds of moves of a seat that its player need not have seen, such as those of a bot that stands in."""


LOOKED = "UPDATE games_visit SET seen = %s, at = %s WHERE id = %s AND seen <= %s"
"""Raw SQL, because every page of a game executes it when something has happened."""


class CurrentVisit(NamedTuple):
    """The visit to which a player's look at a game belongs, before it is stored."""

    row: Visit | None  # the row stored at the previous look; none at the first one
    since: int | None  # the version seen before this visit; none on the first one
    begins: bool  # whether this look begins it
    at: datetime


def load_visits(game: Game, players: Iterable[int | None]) -> dict[int, Visit]:
    """Return how far the *players*, by primary key, have seen *game*; one query, none for nobody."""
    known = {pk for pk in players if pk is not None}
    visits = Visit.objects.filter(game=game, player__in=known) if known else ()
    return {row.player_id: row for row in visits}


def build_current_visit(row: Visit | None, now: datetime) -> CurrentVisit:
    """Return the visit of the player of *row*, who looks *now*. A clock that was set back ends no visit."""
    if row is None:
        return CurrentVisit(None, None, True, now)
    over = now - row.at > PAUSE
    return CurrentVisit(row, row.seen if over else row.since, over, now)


def visit_of(game: Game, viewer: Visitor, now: datetime) -> CurrentVisit | None:
    """Return the visit of *viewer*, who looks at *game* now; ``None`` for anonymous visitors."""
    return (
        build_current_visit(load_visits(game, {viewer.pk}).get(viewer.pk), now)
        if viewer.is_authenticated
        else None
    )


def record(visit: CurrentVisit, game: Game, player: Player, *, played: bool = False) -> None:
    """Store that *player* has seen *game* at its current version; at most one query. *played* says that
    nothing has happened since their own move, which records that; then only the time may be stored.

    Of two concurrent looks the one that saw more is kept, and neither begins a visit that the other has
    begun. If the database is too busy to write, the look is lost and the page still served.
    """
    try:
        _write(visit, game, player, played)
    except DatabaseError:
        logger.warning("A look at %s could not be written down", game.code, exc_info=True)


def _write(visit: CurrentVisit, game: Game, player: Player, played: bool) -> None:
    row = visit.row
    if row is None:
        first = Visit(game=game, player=player, since=None, seen=game.version, at=visit.at)
        Visit.objects.bulk_create([first], ignore_conflicts=True)
        return
    mine = Visit.objects.filter(pk=row.pk)
    if visit.begins:
        mine.filter(at=row.at, seen=row.seen).update(since=row.seen, seen=game.version, at=visit.at)
    elif (game.version > row.seen and not played) or abs(visit.at - row.at) > GRAIN:
        at = connection.ops.adapt_datetimefield_value(visit.at)
        with connection.cursor() as cursor:
            cursor.execute(LOOKED, [game.version, at, row.pk, game.version])


def annotate_news(games: QuerySet[Game], player: Player) -> QuerySet[Game]:
    """Annotate *games* that *player* plays or watches with ``news``: whether others have moved, or the game
    has begun or ended, since *player* last looked or played."""
    moves = Move.objects.in_force().filter(game=OuterRef("pk")).order_by("-version")
    mine = moves.filter(seat=OuterRef("my_index"), ply__isnull=False).exclude(how__in=UNKNOWING)
    seen = Visit.objects.filter(game=OuterRef("pk"), player=player)
    others = ~Q(seat=OuterRef("my_index")) & Q(seat__isnull=False)
    news = moves.filter(others | Q(how=How.TASK), version__gt=OuterRef("known"))
    return games.annotate(
        my_index=Coalesce(
            Subquery(Seat.objects.filter(game=OuterRef("pk"), player=player).values("index")[:1]), NOWHERE
        ),
        known=Greatest(
            Coalesce(Subquery(seen.values("seen")), 0), Coalesce(Subquery(mine.values("version")[:1]), 0)
        ),
        news=Exists(news),
    )


def forget(player: Player) -> None:
    """Delete the visits of *player*."""
    Visit.objects.filter(player=player).delete()
