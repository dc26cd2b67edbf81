"""Players' own time: absences, holiday allowances, and reliability."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F

from accounts.models import Player
from games import clocks
from games.clocks import Reliability, parse_instant
from games.models import Emergency, Game, Holiday, PersonalTime, SeatState, Status
from games.play import allowance

PAST_HOLIDAYS = timedelta(days=90)
"""Time for which calendars still show holidays that are over."""


def load_personal_time(player: Player) -> PersonalTime | None:
    """Return the stored times of *player*. No query if they were loaded with the player."""
    return getattr(player, "personal_time", None)


def load_reliability(player: Player) -> Reliability:
    """Return the reliability of *player*. No query if ``personal_time`` was loaded with the player."""
    kept = load_personal_time(player)
    return Reliability() if kept is None else kept.reliability


def find_away_players(players: Collection[int], now: datetime) -> frozenset[int]:
    """Return the primary keys of those *players* who are on holiday or have an emergency. One query."""
    kept = PersonalTime.objects.filter(player__in=players).exclude(away=[])
    return frozenset(pk for pk, away in kept.values_list("player", "away") if _is_in(away, now))


def _is_in(away: Sequence[Sequence[str]], now: datetime) -> bool:
    return any(parse_instant(begin) <= now < parse_instant(end) for _kind, begin, end in away)


class Away(NamedTuple):
    """A current or future absence of a player."""

    kind: str  # ``timing.HOLIDAY`` or ``timing.EMERGENCY``
    begin: datetime
    end: datetime


def find_absence(player: Player, now: datetime) -> Away | None:
    """Return the current absence of *player*, or else the next holiday, extended by adjoining ones. No query
    if the player was loaded with ``personal_time``."""
    kept = load_personal_time(player)
    first: Away | None = None
    for kind, begin, end in () if kept is None else kept.away:
        absence = Away(kind, parse_instant(begin), parse_instant(end))
        if absence.end <= now:
            continue
        if first is None:
            first = absence
        elif absence.begin <= first.end < absence.end:
            first = first._replace(end=absence.end)
    return first


def extend_by_absences(player: Player, since: datetime, ends: datetime) -> datetime:
    """Return the end of a period that began at *since*, postponed by each registered absence of *player* in
    it."""
    kept = load_personal_time(player)
    for _kind, begin, end in () if kept is None else kept.away:
        first, last = max(parse_instant(begin), since), parse_instant(end)
        if first < min(last, ends):
            ends += last - first
            since = last
    return ends


def load_holidays_left(player: int, year: int) -> timedelta:
    """Return the remaining holidays of *player*, a primary key, in *year*. One query."""
    return clocks.holiday_left(allowance.load_pieces(player), year)


def load_shown_holidays(player: Player, now: datetime) -> list[Holiday]:
    """Return the holidays of *player* to come, and the latest ones; one query."""
    return list(Holiday.objects.filter(player=player, end__gt=now - PAST_HOLIDAYS).order_by("begin"))


class OwnTime(NamedTuple):
    """A player's holidays, emergency, games awaiting them, and games that holidays don't stop."""

    holidays: Sequence[Holiday]  # that end in this calendar year or later, in order
    left: Sequence[tuple[int, timedelta]]  # of the allowance, this year and the next
    emergency: Emergency | None  # that lasts now
    emergency_again: datetime | None  # earliest beginning of the next one, if not now
    waiting: Sequence[Game]  # for the player, the nearest deadline first
    unstopped: Sequence[Game]  # whose clocks holidays don't stop


def load_own_time(player: Player, now: datetime) -> OwnTime:
    """Load the holidays, emergencies and games of *player*. Three queries."""
    rows = list(Holiday.objects.filter(player=player).order_by("begin"))
    pieces = [row.piece for row in rows]
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
