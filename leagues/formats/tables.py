"""Tables of three and more players, who meet each other about equally often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils.translation import gettext_lazy, ngettext

from leagues.exceptions import LeagueRefused
from leagues.formats.base import Format
from leagues.models import Division
from leagues.schedules.separation import Pairs
from leagues.schedules.tables import assign_tables
from leagues.seasons.drawing import draw_all_rounds
from leagues.settings import LeagueSettings, Schedule


class Tables(Format):
    """Rounds of tables of three and more, all at once."""

    schedule = Schedule.ROUND_ROBIN

    def plays(self, schedule: str, seats: int) -> bool:
        return schedule == self.schedule and seats > 2

    def list_faults(self, settings: LeagueSettings) -> Iterator[str]:
        return iter(())

    def suggest_rounds(self, seats: int, players: int) -> int:
        """As many as let about all pairs meet."""
        return max(1, -(-(players - 1) // (seats - 1)))

    def draw_first(
        self, division: Division, players: Sequence[int], now: datetime, apart: Pairs[int]
    ) -> None:
        settings = division.season.settings
        seats = min(settings.seats, len(players))
        seed = f"{division.season_id}/{division.level}"
        draw_all_rounds(division, assign_tables(players, seats, settings.rounds, seed, apart=apart))

    def check_takes_latecomers(self) -> None:
        raise LeagueRefused("late_tables")

    def describe_schedule(self, settings: LeagueSettings) -> str:
        n = settings.rounds
        return ngettext(
            "{n} round of tables in which everyone meets everyone about equally often.",
            "{n} rounds of tables in which everyone meets everyone about equally often.",
            n,
        ).format(n=n)

    blocks = gettext_lazy("If everyone meets everyone, you play each other.")
