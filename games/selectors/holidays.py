"""Players' own time: who is away and until when, what is left of their holidays, what waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F

from accounts.models import Player
from games import clocks
from games.clocks import Piece, instant
from games.models import Emergency, Game, Holiday, SeatState, Status
from games.play import allowance
from games.selectors.reliability import personal_time


class Away(NamedTuple):
    """A time in which a player is away, or will be."""

    kind: str  # ``timing.HOLIDAY`` or ``timing.EMERGENCY``
    begin: datetime
    end: datetime


def away(player: Player, now: datetime) -> Away | None:
    """Whether *player* is away, or has entered a holiday: the time that comes first, with what touches it. No
    query where the player was read with ``personal_time``."""
    kept = personal_time(player)
    first: Away | None = None
    for kind, begin, end in () if kept is None else kept.away:
        one = Away(kind, instant(begin), instant(end))
        if one.end <= now:
            continue
        if first is None:
            first = one
        elif one.begin <= first.end < one.end:
            first = first._replace(end=one.end)
    return first


def left_in(player: int, year: int) -> timedelta:
    """What is left of the holidays of *player*, by primary key, in that *year*; one query."""
    return clocks.holiday_left(allowance.pieces(player), year)


class OwnTime(NamedTuple):
    """What the holidays and games of a player come to."""

    holidays: Sequence[Holiday]  # that end in this calendar year or later, in order
    left: Sequence[tuple[int, timedelta]]  # of the allowance, this year and the next
    emergency: Emergency | None  # that lasts now
    emergency_again: datetime | None  # from when on there may be another one, if not now
    waiting: Sequence[Game]  # for the player, the nearest deadline first
    unstopped: Sequence[Game]  # whose clocks holidays don't stop


def own_time(player: Player, now: datetime) -> OwnTime:
    """What *player* has entered and plays; three queries."""
    rows = list(Holiday.objects.filter(player=player).order_by("begin"))
    pieces = [Piece(row.begin, row.end) for row in rows]
    last = Emergency.objects.filter(player=player).order_by("-begin").first()
    again = None if last is None else last.begin + clocks.BETWEEN_EMERGENCIES
    games = list(
        Game.objects.filter(seats__player=player, seats__state=SeatState.PLAYING, status=Status.PLAYING)
        .annotate(mine=F("seats__index"))
        .order_by(F("deadline").asc(nulls_last=True), "pk")
    )
    return OwnTime(
        holidays=[row for row in rows if now.year <= row.end.year],
        left=[(year, clocks.holiday_left(pieces, year)) for year in (now.year, now.year + 1)],
        emergency=last if last is not None and last.begin <= now < last.end else None,
        emergency_again=again if again is not None and now < again else None,
        waiting=[game for game in games if game.awaited == game.mine],
        unstopped=[game for game in games if not clocks.holidays_help(game.clock)],
    )
