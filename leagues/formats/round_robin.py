"""Round robins: everybody in a division meets everybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.words import times
from leagues.formats.base import Format
from leagues.models import Division
from leagues.schedules.round_robin import pair_round_robin
from leagues.schedules.separation import Pairs
from leagues.seasons.drawing import draw_all_rounds
from leagues.settings import LeagueSettings, Schedule

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class RoundRobin(Format):
    """Duels of everybody with everybody, all at once; teams have a date for each round."""

    schedule = Schedule.ROUND_ROBIN
    plays_teams = True
    meets_everybody = True
    takes_latecomers = True
    label = gettext_lazy("Everyone plays everyone")
    place = 1
    labels: Mapping[str, StrOrPromise] = {"rounds": gettext_lazy("How often each pair meets")}

    def plays(self, schedule: str, seats: int) -> bool:
        return schedule == self.schedule and seats == 2

    def draw_first(
        self, division: Division, players: Sequence[int], now: datetime, apart: Pairs[int]
    ) -> None:
        draw_all_rounds(division, pair_round_robin(players, division.season.settings.rounds))

    def describe_schedule(self, settings: LeagueSettings) -> str:
        n = settings.rounds
        return ngettext(
            "Everyone plays everyone in their division once.",
            "Everyone plays everyone in their division {n} times.",
            n,
        ).format(n=n)

    def describe_team_schedule(self, settings: LeagueSettings) -> str:
        n = settings.rounds
        return ngettext(
            "Every team meets every other team in the division once.",
            "Every team meets every other team in the division {n} times.",
            n,
        ).format(n=n)

    def list_team_round_sentences(self, settings: LeagueSettings) -> Iterator[str]:
        yield _("A round begins every {time}.").format(time=times.format_span(settings.team_rules.round))
