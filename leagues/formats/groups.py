"""Groups, the first of which go on to a knock-out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.words import times
from leagues.calendar import (
    CalendarRound,
    Reckoning,
    Stage,
    compute_groups_end,
    count_seeds_of_group,
)
from leagues.formats.base import PROTESTS_BETWEEN_ROUNDS
from leagues.formats.knock_out import Cup
from leagues.models import Division, Entry, Season, Team
from leagues.schedules import count_groups, draw_groups
from leagues.schedules.round_robin import pair_round_robin
from leagues.schedules.separation import Pairs
from leagues.seasons.drawing import draw_all_rounds
from leagues.seasons.seeding import sort_for_seeding
from leagues.seasons.teams.rounds import draw_team_tables
from leagues.selectors.preview import DrawPreview
from leagues.settings import SHORTEST_CUP, LeagueSettings, Schedule, Seeding
from leagues.words import settings_text

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

USUAL_GROUP = 4


class Groups(Cup):
    """Round robins in groups that are about equally strong, then a division with a knock-out."""

    schedule = Schedule.GROUPS
    leads_to_knock_out = True
    meets_everybody = True
    rounds_have_ends = True
    rounds_end_together = True
    stages = 2
    label = gettext_lazy("Groups, then a knock-out, for duels")
    place = 4
    sized = True
    labels: Mapping[str, StrOrPromise] = {
        "division_size": gettext_lazy("Players in a group at most"),
        "rounds": gettext_lazy("How often each pair meets"),
    }
    team_labels: Mapping[str, StrOrPromise] = {"division_size": gettext_lazy("Teams in a group at most")}

    def list_faults(self, settings: LeagueSettings) -> Iterator[str]:
        yield from super().list_faults(settings)
        if settings.cup.from_group > settings.division_size:
            yield "from_group"

    def compute_least_team_length(self, settings: LeagueSettings) -> timedelta:
        meetings = settings.count_meetings(settings.division_size)
        return settings.team_rules.lasts(meetings) + SHORTEST_CUP

    def suggest_division_size(self, seats: int, expected: int) -> int:
        return USUAL_GROUP

    def list_calendar_rounds(self, reckoning: Reckoning) -> Iterator[CalendarRound]:
        settings, players = reckoning.settings, reckoning.players
        groups = count_groups(settings.division_size, players)
        size = -(-players // groups)
        half = compute_groups_end(reckoning.begins, reckoning.ends)
        ends = max(half, reckoning.begins + settings.contenders.compute_least_rounds(settings, size))
        yield from settings.contenders.list_table_rounds(reckoning, Stage.GROUPS, size, ends)
        seeds = groups * count_seeds_of_group(settings, groups, players // groups)
        yield from self.list_knock_out_rounds(reckoning, seeds, min(ends + settings.protest, reckoning.ends))

    protests = PROTESTS_BETWEEN_ROUNDS

    end_of_games = gettext_lazy("No turn can run past the end of the round.")

    def divide(
        self, there: Sequence[Entry | Team], settings: LeagueSettings, apart: Pairs[int] = ()
    ) -> list[list[int]]:
        groups = count_groups(settings.division_size, len(there))
        seeds = [one.holder for one in sort_for_seeding(there, settings, groups)]
        return draw_groups(seeds, groups, apart)

    def draw_first(
        self, division: Division, players: Sequence[int], now: datetime, apart: Pairs[int]
    ) -> None:
        season = division.season
        rounds = pair_round_robin(players, season.settings.rounds)
        draw_all_rounds(division, rounds, ends=compute_groups_end(season.begins, season.ends))

    def draw_teams(self, season: Season, drawn: Sequence[Sequence[Team]], now: datetime) -> None:
        """The last round has its full length, too."""
        lasts = season.contenders.compute_least_rounds(season.settings, max(map(len, drawn)))
        ends = max(compute_groups_end(season.begins, season.ends), now + lasts)
        draw_team_tables(season, drawn, ends, now)

    def waits_for_finals(self, season: Season, divisions: Collection[Division] | None = None) -> bool:
        if divisions is not None:
            return all(division.kind == self.kind for division in divisions)
        return not season.divisions.exclude(kind=self.kind).exists()

    def goes_on(self, season: Season, now: datetime) -> bool:
        return self.waits_for_finals(season)

    def preview_draw(self, season: Season, there: QuerySet[Entry], own: Entry | None) -> DrawPreview:
        players = there.count()
        groups = count_groups(season.settings.division_size, players)
        return DrawPreview(tuple(-(-(players - at) // groups) for at in range(groups)), None)

    def name_division(self, division: Division) -> str:
        return _("Group {n}").format(n=division.level)

    def describe_draw(self, draw: DrawPreview) -> str:
        return _("As it stands now, {n} players are drawn into {groups} groups.").format(
            n=draw.players, groups=len(draw.sizes)
        )

    def describe_team_draw(self, settings: LeagueSettings, n: int) -> str:
        groups = count_groups(settings.division_size, n)
        return _("As it stands now, {n} teams are drawn into {groups} groups.").format(n=n, groups=groups)

    def describe_schedule(self, settings: LeagueSettings) -> str:
        first = settings.cup.from_group
        return ngettext(
            "Everyone plays everyone in their group. The first of each group goes on to a knock-out.",
            "Everyone plays everyone in their group. The first {n} of each group go on to a knock-out.",
            first,
        ).format(n=first)

    def describe_team_schedule(self, settings: LeagueSettings) -> str:
        first = settings.cup.from_group
        return ngettext(
            "Every team plays every other team in its group. The first of each group goes on to a knock-out.",
            "Every team plays every other team in its group. The first {n} of each group go "
            "on to a knock-out.",
            first,
        ).format(n=first)

    def list_team_round_sentences(self, settings: LeagueSettings) -> Iterator[str]:
        every = times.format_span(settings.team_rules.round)
        yield _("In groups a round begins every {time}.").format(time=every)
        yield from super().list_team_round_sentences(settings)

    def list_ranking_facts(self, settings: LeagueSettings) -> settings_text.Facts:
        contenders = settings.contenders
        drawn = str(contenders.size_of_groups).format(n=settings.division_size)
        if settings.seeding == Seeding.POTS:
            lots = _("Each group draws one from every pot; the strongest are in the first one.")
            drawn = f"{drawn} {lots}"
        table = settings_text.list_table_facts(settings)
        return [(_("Groups"), drawn), *table, (_("Seeds"), str(contenders.seeds_from_groups))]

    blocks = gettext_lazy(
        "If there is no other way to draw the groups, or later in the knock-out, you play each other."
    )

    def describe_withdrawing(self, settings: LeagueSettings) -> str:
        return f"{super().describe_withdrawing(settings)} {_('In the knock-out the opponent moves on.')}"
