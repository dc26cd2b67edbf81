"""The calendar beside the form that founds a league: a preview of the dates that its settings mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues.calendar import ENDLESS, CalendarRound, SeasonCalendar, Stage
from leagues.settings import LeagueSettings
from leagues.words import rounds, settings_text

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MOST_ROUNDS = 12
"""Maximum number of rounds listed, the first ones."""

MANY_GAMES = 15
"""Maximum number of simultaneous games without a warning that most people can't play so many."""

STAGES: Mapping[Stage, StrOrPromise] = {
    Stage.ALL: gettext_lazy("All games, side by side"),
    Stage.GROUPS: gettext_lazy("Groups, all games side by side"),
    Stage.CHALLENGE: gettext_lazy("A challenge, if it were made on the first day"),
}


class RoundLine(NamedTuple):
    """Round of the calendar."""

    name: str
    games: str  # in a match; empty for one
    begins: datetime
    ends: datetime
    usual_end: datetime
    late: bool


@dataclass(frozen=True, slots=True)
class CalendarPage:
    """The dates that settings mean; ``registration`` is open until ``begins``."""

    begins: datetime
    ends: datetime
    usual_end: datetime
    worst_end: datetime | None  # none if there is no limit
    games_at_once: int
    many_games: bool
    late: bool
    days_late: int
    rounds: list[RoundLine]
    left_out: int  # number of rounds that are not listed
    facts: list[tuple[str, str]]  # settings fixed by the format


def build_calendar_page(
    calendar: SeasonCalendar | None, settings: LeagueSettings | None
) -> CalendarPage | None:
    """Build the preview of *calendar*; None where there is none."""
    if calendar is None or settings is None:
        return None
    lines = [_build_line(each, calendar) for each in calendar.rounds]
    worst = calendar.worst_end
    return CalendarPage(
        begins=calendar.begins,
        ends=calendar.ends,
        usual_end=calendar.usual_end,
        worst_end=None if worst == ENDLESS else worst,
        games_at_once=calendar.games_at_once,
        many_games=calendar.games_at_once > MANY_GAMES,
        late=calendar.late,
        days_late=calendar.days_late,
        rounds=lines[:MOST_ROUNDS],
        left_out=len(lines[MOST_ROUNDS:]),
        facts=settings_text.list_facts(settings),
    )


def _build_line(each: CalendarRound, calendar: SeasonCalendar) -> RoundLine:
    games = _("best of {n}").format(n=each.best_of) if each.best_of > 1 else ""
    return RoundLine(_name(each, calendar), games, each.begins, each.ends, each.usual_end, each.late)


def _name(each: CalendarRound, calendar: SeasonCalendar) -> str:
    alone = sum(other.stage == each.stage for other in calendar.rounds) == 1
    if each.stage == Stage.KNOCK_OUT:
        return rounds.format_round(each.matches)
    if alone and each.stage in STAGES:
        return str(STAGES[each.stage])
    return _("Round {n}").format(n=each.number)
