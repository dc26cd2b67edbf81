"""Knock-outs: whoever loses a match is out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.access import Visitor
from games.words import times
from leagues import setting_words as words
from leagues.calendar import CalendarRound, Reckoning, Stage
from leagues.formats.base import Sequential, Undivided
from leagues.models import Division, Entry, Kind, Match, Season, Seed, Team, TeamMatch
from leagues.schedules import KnockOut
from leagues.schedules.bracket import separate_seeds
from leagues.schedules.separation import Pairs
from leagues.seasons.brackets import (
    begin_bracket,
    draw_bracket,
    draw_team_bracket,
    update_bracket_standings,
)
from leagues.seasons.seeding import sort_for_seeding
from leagues.seasons.teams.rounds import draw_team_bracket_first
from leagues.seasons.teams.tables import score_lead
from leagues.selectors.bracket import load_bracket
from leagues.selectors.leagues import connect_seeds
from leagues.selectors.preview import DrawPreview
from leagues.settings import SHORTEST_CUP, LeagueSettings, Schedule
from leagues.standings import TableStanding
from leagues.words import rounds, settings_text


class Cup(Undivided):
    """A format that is, or ends with, a knock-out."""

    seeded = True
    plays_teams = True
    repeated = False

    def list_faults(self, settings: LeagueSettings) -> Iterator[str]:
        yield from super().list_faults(settings)
        if settings.length < SHORTEST_CUP:
            yield "short"

    def compute_least_length(self, settings: LeagueSettings) -> timedelta:
        return SHORTEST_CUP

    def list_knock_out_rounds(
        self, reckoning: Reckoning, seeds: int, since: datetime
    ) -> Iterator[CalendarRound]:
        """Each round begins when the results of the one before have stood; of teams, after its line-ups."""
        settings, worst = reckoning.settings, since
        cup = KnockOut(range(seeds)).rounds()
        for at, (begins, ends) in enumerate(reckoning.share_time(len(cup), since), start=1):
            begins += min(settings.contenders.get_line_up_time(settings), (ends - begins) / 2)
            drawn = reckoning.build_round(Stage.KNOCK_OUT, begins, ends, number=at, last=at == len(cup))
            worst = reckoning.compute_worst_end(max(worst, begins), drawn.best_of)
            yield drawn._replace(matches=len(cup[at - 1]), worst_end=worst)

    def list_team_round_sentences(self, settings: LeagueSettings) -> Iterator[str]:
        yield _("Before each match of the knock-out there are {time} for line-ups.").format(
            time=times.format_span(settings.team_rules.begins(1))
        )

    def list_match_sentences(self, settings: LeagueSettings) -> Iterator[str]:
        yield str(settings.contenders.even_match)
        if settings.cup.third_place:
            yield settings.describe("third_place")

    def describe_team_withdrawing(self, settings: LeagueSettings) -> str:
        gone = _("If everyone in a team withdraws, it loses its boards, and the other team moves on.")
        return f"{settings.describe('withdrawn')} {gone}"

    def list_calendar_sentences(self) -> Iterator[str]:
        yield _("The rounds of the knock-out share the time left when they start equally.")


class KnockOutFormat(Cup, Sequential):
    """A bracket of all players or teams; also the one that follows groups."""

    schedule = Schedule.KNOCK_OUT
    kind = Kind.KNOCK_OUT
    in_tables = False
    has_substitutes = False
    moves_winners_on = True
    label = gettext_lazy("Knock-out, for duels")
    place = 3

    def compute_least_team_length(self, settings: LeagueSettings) -> timedelta:
        return SHORTEST_CUP

    def list_calendar_rounds(self, reckoning: Reckoning) -> Iterator[CalendarRound]:
        return self.list_knock_out_rounds(reckoning, reckoning.players, reckoning.begins)

    def divide(
        self, there: Sequence[Entry | Team], settings: LeagueSettings, apart: Pairs[int] = ()
    ) -> list[list[int]]:
        return [[one.holder for one in sort_for_seeding(there, settings)]]

    def draw_first(
        self, division: Division, players: Sequence[int], now: datetime, apart: Pairs[int]
    ) -> None:
        begin_bracket(division, separate_seeds(players, apart), now)

    def draw_teams(self, season: Season, drawn: Sequence[Sequence[Team]], now: datetime) -> None:
        (teams,) = drawn
        draw_team_bracket_first(season, teams, now)

    def draw_next(self, division: Division, now: datetime) -> None:
        draw_bracket(division, now)

    def draw_next_of_teams(self, division: Division, now: datetime) -> bool:
        return draw_team_bracket(division, now)

    def get_last_round(self, division: Division) -> int:
        drawn: int | None = division.team_matches.aggregate(last=Max("round"))["last"]
        return max(division.drawn, drawn or 0)

    def update_standings(self, division: Division) -> list[TableStanding]:
        update_bracket_standings(division)
        return []

    def has_team_consequences(self, match: Match) -> bool:
        return match.division.team_matches.filter(round__gt=match.round).exists()

    def break_tie(self, match: TeamMatch) -> Fraction:
        return score_lead(match)

    template = "leagues/bracket.html"

    def load_page(
        self, division: Division, asked: str | None, visitor: Visitor, now: datetime
    ) -> dict[str, Any]:
        return load_bracket(division)

    def list_rows(self, division: Division) -> Sequence[Seed]:
        return connect_seeds(division, division.bracket)  # type: ignore[attr-defined]

    def name_division(self, division: Division) -> str:
        return _("Knock-out")

    def say_over(self, division: Division) -> str:
        return _("{round}: all matches are over").format(round=self.name_round(division, division.drawn))

    def name_round(self, division: Division, round: int, number: int = 1) -> str:
        if round == division.rounds and number > 1:
            return _("Match for third place")
        return rounds.format_round(1 << (division.rounds - round))

    def describe_draw(self, draw: DrawPreview) -> str:
        return _("As it stands now, {n} players play in the knock-out.").format(n=draw.players)

    def describe_team_draw(self, settings: LeagueSettings, n: int) -> str:
        return _("As it stands now, {n} teams play in the knock-out.").format(n=n)

    def build_line(self, division: Division) -> dict[str, Any]:
        return division.contenders.build_line_of_bracket(division)

    def describe_schedule(self, settings: LeagueSettings) -> str:
        return _("Knock-out: the winner of a match moves on, and the loser is out.")

    def describe_team_schedule(self, settings: LeagueSettings) -> str:
        return _("Knock-out: the team that wins the match moves on, and the other one is out.")

    def list_ranking_facts(self, settings: LeagueSettings) -> settings_text.Facts:
        return settings_text.list_fact(settings, words.SEEDS)

    blocks = gettext_lazy("You don't meet in the first round if that's possible; later you play each other.")

    def describe_withdrawing(self, settings: LeagueSettings) -> str:
        return _(
            "If you withdraw from a knock-out in progress, you resign your current games, and "
            "your opponent moves on."
        )
