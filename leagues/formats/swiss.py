"""The Swiss system: duels of players with similar points, drawn round by round (STAND-15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues.calendar import USUAL_SWISS_ROUND, CalendarRound, Reckoning, Stage
from leagues.exceptions import LeagueRefused
from leagues.formats.base import Sequential
from leagues.models import Division, Entry, Season
from leagues.schedules.separation import Pairs
from leagues.seasons.drawing import count_swiss_rounds, draw_swiss
from leagues.seasons.joining import count_planned_rounds
from leagues.selectors.desk import list_swiss_divisions_cut_short
from leagues.settings import LEAST_DIVISION, MOST_DIVISION, LeagueSettings, Schedule


class Swiss(Sequential):
    """Rounds in which players with similar points meet, and never twice."""

    schedule = Schedule.SWISS
    takes_latecomers = True
    most_in_division = MOST_DIVISION
    stage = Stage.SWISS
    usual_round = USUAL_SWISS_ROUND
    has_cross_table = False
    label = gettext_lazy("Swiss system, for duels")
    place = 2

    def suggest_division_size(self, seats: int, expected: int) -> int:
        return max(LEAST_DIVISION, min(MOST_DIVISION, expected))

    def suggest_rounds(self, seats: int, players: int) -> int:
        """As many as find a winner."""
        return max(1, min(players - 1, players.bit_length() + 1))

    def list_calendar_rounds(self, reckoning: Reckoning) -> Iterator[CalendarRound]:
        """Each round begins when the results of the one before have stood."""
        number = min(reckoning.settings.rounds, reckoning.size_largest_division() - 1)
        worst = reckoning.begins
        for at, (begins, ends) in enumerate(
            reckoning.share_time(number, reckoning.begins, USUAL_SWISS_ROUND), start=1
        ):
            drawn = reckoning.build_round(Stage.SWISS, begins, ends, number=at, last=at == number)
            worst = reckoning.compute_worst_end(max(worst, begins), drawn.best_of)
            yield drawn._replace(worst_end=worst)

    def draw_first(
        self, division: Division, players: Sequence[int], now: datetime, apart: Pairs[int]
    ) -> None:
        division.rounds = count_swiss_rounds(division, len(players))
        draw_swiss(division, now)

    def draw_next(self, division: Division, now: datetime) -> None:
        draw_swiss(division, now)

    def has_drawn_by_table(self, division: Division) -> bool:
        return division.drawn > 1

    def check_takes_newcomer(self, division: Division) -> None:
        if division.ended_early_id or division.drawn >= count_planned_rounds(division):
            raise LeagueRefused("late_rounds")

    def make_room(self, division: Division) -> None:
        division.rounds = count_planned_rounds(division)

    def enter(self, division: Division, newcomer: Entry) -> None:
        """The next draw takes care of *newcomer*."""

    def describe_newcomer(self, division: Division) -> str:
        return _("From round {n}; earlier rounds earn no points.").format(n=division.drawn + 1)

    def list_shortened_divisions(self, season: Season) -> list[Division]:
        return list_swiss_divisions_cut_short(season)

    def describe_schedule(self, settings: LeagueSettings) -> str:
        n = settings.rounds
        return ngettext(
            "Swiss system: {n} round in which players with similar points meet, and never twice.",
            "Swiss system: {n} rounds in which players with similar points meet, and never twice.",
            n,
        ).format(n=n)

    blocks = gettext_lazy("If no round can be drawn without it, you play each other.")
