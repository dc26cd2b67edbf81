"""Ladders: whoever wins a challenge takes the place of a player above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.access import Visitor
from games.clocks import DAY
from leagues import setting_words as words
from leagues.calendar import ANY_TIME, CalendarRound, Reckoning, Stage, build_calendar
from leagues.formats.base import Format, Undivided
from leagues.models import Division, Entry, Kind, Match, RoundMatch, Season, Team
from leagues.schedules.separation import Pairs
from leagues.seasons.ladders import update_ladder_standings
from leagues.seasons.seeding import sort_for_ladder
from leagues.selectors.coming_steps import PreviewStep
from leagues.selectors.division_lines import line_of_ladder
from leagues.selectors.ladder import load_ladder
from leagues.selectors.preview import DrawPreview
from leagues.settings import LeagueSettings, Schedule, Seeding
from leagues.standings import TableStanding
from leagues.words import settings_text


class LadderFormat(Undivided):
    """One division without rounds, in which players challenge each other."""

    schedule = Schedule.LADDER
    kind = Kind.LADDER
    has_rounds = False
    in_tables = False
    has_substitutes = False
    has_challenges = True
    corrects_results = False
    label = gettext_lazy("Ladder with challenges, for duels")
    place = 6

    def list_faults(self, settings: LeagueSettings) -> Iterator[str]:
        yield from super().list_faults(settings)
        if settings.seeding == Seeding.POTS:
            yield "seeding"
        if settings.duplicate:
            yield "duplicate"

    def get_protest_time(self, settings: LeagueSettings) -> timedelta:
        """Zero, as challenges count at once, though the season closes as late as any other."""
        return timedelta()

    def suggest_lengths(
        self, settings: LeagueSettings, expected: int, longest: timedelta
    ) -> tuple[timedelta, timedelta]:
        length = build_calendar(settings, players=2, begins=ANY_TIME).usual_end - ANY_TIME
        return settings.length, min(-(-length // DAY) * DAY, longest)

    def list_calendar_rounds(self, reckoning: Reckoning) -> Iterator[CalendarRound]:
        ends = reckoning.begins + reckoning.settings.challenges.length
        yield reckoning.build_round(Stage.CHALLENGE, reckoning.begins, ends)

    def divide(
        self, there: Sequence[Entry | Team], settings: LeagueSettings, apart: Pairs[int] = ()
    ) -> list[list[int]]:
        return [sort_for_ladder(there, settings)]

    def get_first_rank(self, row: int) -> int:
        return row

    def draw_first(
        self, division: Division, players: Sequence[int], now: datetime, apart: Pairs[int]
    ) -> None:
        """Players challenge each other."""

    def goes_on(self, season: Season, now: datetime) -> bool:
        return now < season.ends

    def update_standings(self, division: Division) -> list[TableStanding]:
        update_ladder_standings(division)
        return []

    def has_consequences(self, match: Match) -> bool:
        return True

    def list_first_facts(self, division: Division, entry: Entry) -> Iterator[tuple[str, str]]:
        reach = division.season.settings.challenges.reach
        there = division.entries.filter(row__isnull=False).count()
        yield _("Place"), _("{n} of {all}").format(n=entry.row, all=there)
        yield (
            _("Challenges"),
            ngettext(
                "You can challenge players up to {n} place above you.",
                "You can challenge players up to {n} places above you.",
                reach,
            ).format(n=reach),
        )

    def keeps_order(self, before: Format) -> bool:
        return before.schedule == self.schedule

    template = "leagues/ladder.html"

    def load_page(
        self, division: Division, asked: str | None, visitor: Visitor, now: datetime
    ) -> dict[str, Any]:
        return load_ladder(division, visitor, now)

    def name_division(self, division: Division) -> str:
        return _("Ladder")

    def name_match(self, match: RoundMatch) -> str:
        return self.name_division(match.division)

    def describe_draw(self, draw: DrawPreview) -> str:
        return _("As it stands now, {n} players are on the ladder.").format(n=draw.players)

    def list_coming_steps(self, season: Season, own: Entry | None) -> Iterator[PreviewStep]:
        yield PreviewStep(_("The season ends, and the ladder is final."), season.ends)

    def build_line(self, division: Division) -> dict[str, Any]:
        return line_of_ladder(division)

    def describe_schedule(self, settings: LeagueSettings) -> str:
        return _("Ladder: players challenge others above them.")

    def list_ranking_facts(self, settings: LeagueSettings) -> settings_text.Facts:
        away = _(
            "You can't be challenged while you're away, and a holiday that you've entered before makes a "
            "challenge that much longer."
        )
        return [
            (heading, f"{told} {away}")
            for heading, told in settings_text.list_fact(settings, words.CHALLENGES)
        ]

    def list_match_sentences(self, settings: LeagueSettings) -> Iterator[str]:
        yield _("If a match is drawn, nothing changes.")

    blocks = gettext_lazy(
        "A challenge between you counts as declined, but costs nothing. You play each other if the "
        "challenger can't reach anyone else."
    )

    def describe_withdrawing(self, settings: LeagueSettings) -> str:
        return _(
            "If you withdraw, you resign your current games and leave the ladder; everyone below moves up."
        )

    end_of_games = gettext_lazy("No turn can run past the end of the challenge.")
