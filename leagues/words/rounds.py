"""Names of rounds and ranks of brackets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.words.grammar import format_ordinal
from leagues.calendar import CalendarRound, SeasonCalendar, Stage
from leagues.schedules import Part
from leagues.schedules.double_elimination import list_parts

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LATE: Mapping[int, StrOrPromise] = {
    1: gettext_lazy("Final"),
    2: gettext_lazy("Semi-finals"),
    4: gettext_lazy("Quarter-finals"),
}
THIRD = 3
MOST_NAMED = 512
"""Maximum number of matches of a round that is named by its players; larger ones are the first round."""


def format_round(ties: int) -> str:
    """Name the round of a knock-out with this number of matches, including byes."""
    if ties in LATE:
        return str(LATE[ties])
    if ties > MOST_NAMED:
        return _("first round")
    return _("Round of {n}").format(n=2 * ties)


DOUBLE: Mapping[Part, StrOrPromise] = {
    Part.MAIN: gettext_lazy("Winners' bracket, round {n}"),
    Part.LOSERS: gettext_lazy("Losers' bracket, round {n}"),
}
LAST_OF_DOUBLE: Mapping[Part, StrOrPromise] = {
    Part.MAIN: gettext_lazy("Winners' final"),
    Part.LOSERS: gettext_lazy("Losers' final"),
    Part.FINAL: LATE[1],
    Part.DECIDER: gettext_lazy("Deciding match"),
}


def name_double_round(rounds: int, part: Part, n: int) -> str:
    """Name round *n* of a *part* of a double elimination of so many *rounds* (STAND-23)."""
    of_winners = rounds // 2
    last = {Part.MAIN: of_winners, Part.LOSERS: 2 * (of_winners - 1)}
    return str(LAST_OF_DOUBLE[part] if n == last.get(part, n) else DOUBLE[part]).format(n=n)


def name_double_rounds(rounds: int, round: int) -> str:
    """Name all that is played in one *round* of a double elimination of so many *rounds*."""
    parts = list_parts(rounds, round)
    if parts[0][0] == Part.DECIDER:
        return _("Deciding match, if it's needed")
    return " · ".join(name_double_round(rounds, *part) for part in parts)


def format_rank(number: int) -> str:
    """Name a rank in a knock-out; empty below the third."""
    told = {1: _("Winner"), 2: _("Finalist"), 3: _("Third place")}
    return told.get(number, "")


def describe_progress(rank: int, first: int, *, pending: bool, over: bool = False) -> str:
    """Describe the progress of a seed with this *rank*; empty below third place.

    :param first: number of seeds with rank 1
    :param pending: whether third place is still played for
    :param over: whether the season is over; it may have ended before a final
    """
    if rank == THIRD and pending:
        return _("plays for third place")
    if rank == 1 < first:
        return _("shared first place") if over else _("still in")
    return format_rank(rank)


def describe_place(rank: int, sharing: int, *, third_place: bool, over: bool = False) -> str:
    """Describe the place of a seed whose *rank* so many are *sharing*; below third place by the rank itself.

    :param third_place: whether there is a match for it in a season that runs
    """
    pending = third_place and sharing > 1
    return describe_progress(rank, sharing, pending=pending, over=over) or format_ordinal(rank)


STAGES: Mapping[Stage, StrOrPromise] = {
    Stage.ALL: gettext_lazy("All games, side by side"),
    Stage.GROUPS: gettext_lazy("Groups, all games side by side"),
    Stage.CHALLENGE: gettext_lazy("A challenge, if it were made on the first day"),
}
"""Names of rounds of a calendar that are the only one of their stage."""


def name_calendar_round(each: CalendarRound, calendar: SeasonCalendar) -> str:
    """Name a round of *calendar*."""
    if each.title:
        return each.title
    alone = sum(other.stage == each.stage for other in calendar.rounds) == 1
    if each.stage == Stage.KNOCK_OUT:
        return format_round(each.matches)
    if alone and each.stage in STAGES:
        return str(STAGES[each.stage])
    return _("Round {n}").format(n=each.number)
