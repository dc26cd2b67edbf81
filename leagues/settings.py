"""What a league agrees on: one value on its way from form to row, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from games.clocks import DAY, USUAL_CLOCK, ClockSettings, Ladder, Step
from games.rules import RuleSet
from games.tables.settings import TableSettings
from leagues.standings import Rules, rules_from_json, rules_to_json

LEAST_DIVISION, MOST_DIVISION = 2, 60
LONGEST_SEASON = 400 * DAY


class Schedule(StrEnum):
    """How the players of a division meet."""

    ROUND_ROBIN = "round-robin"  # everybody meets everybody; at larger tables about equally often
    SWISS = "swiss"  # duels, in rounds drawn one after the other (STAND-15)


def usual_ladder() -> Ladder:
    """An excuse and a day of holiday, then the game is lost: no stranger plays on in a league."""
    return Ladder(last=Step.LOSS)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSettings:
    """Everything that is said before registration. A season keeps those that it began with.

    ``rounds``: how often every pair of a round robin meets, or how many rounds there are of tables and Swiss.
    """

    rules: RuleSet
    standings: Rules
    clock: ClockSettings = USUAL_CLOCK  # without a hard end, which is that of the season
    ladder: Ladder = field(default_factory=usual_ladder)
    rated: bool = True
    schedule: Schedule = Schedule.ROUND_ROBIN
    rounds: int = 1
    division_size: int = 8
    registration: timedelta = 7 * DAY
    length: timedelta = 90 * DAY
    again: bool = True  # the next season opens by itself

    @property
    def seats(self) -> int:
        return self.rules.seats

    @property
    def swiss(self) -> bool:
        return self.schedule == Schedule.SWISS

    def faults(self) -> Iterator[str]:
        """The names of the values that no league may have."""
        yield from self.standings.faults()
        if self.standings.seats != self.seats:
            yield "points"
        if self.swiss and self.seats != 2:
            yield "schedule"
        if self.rounds < 1 or self.rounds > MOST_DIVISION:
            yield "rounds"
        if not max(LEAST_DIVISION, self.seats) <= self.division_size <= MOST_DIVISION:
            yield "division_size"
        if self.standings.up + self.standings.down > self.division_size:
            yield "down"
        if self.clock.ends is not None or next(self.clock.faults(), None):
            yield "clock"
        if self.ladder.last != Step.LOSS:
            yield "ladder"
        if self.registration < timedelta() or not DAY <= self.length <= LONGEST_SEASON:
            yield "length"
        yield from (refused.code for refused in self.table(None).refusals())

    def table(self, ends: datetime | None, name: str = "", seats: int | None = None) -> TableSettings:
        """The settings of a game of a season that *ends* then, of fewer *seats* where somebody is missing."""
        rules = self.rules if seats is None else RuleSet.from_json(self.rules.to_json(), seats=seats)
        return TableSettings(
            rules=rules,
            name=name,
            clock=replace(self.clock, ends=ends),
            ladder=self.ladder,
            rated=self.rated,
        )

    def to_json(self) -> dict[str, Any]:
        """As the rows of leagues and seasons keep it."""
        return {
            "seats": self.seats,
            "rules": self.rules.to_json(),
            "standings": rules_to_json(self.standings),
            "clock": self.clock.to_json(),
            "ladder": self.ladder.to_json(),
            "rated": self.rated,
            "schedule": self.schedule.value,
            "rounds": self.rounds,
            "division_size": self.division_size,
            "registration": int(self.registration.total_seconds()),
            "length": int(self.length.total_seconds()),
            "again": self.again,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> LeagueSettings:
        """What :meth:`to_json` wrote."""
        return cls(
            rules=RuleSet.from_json(stored["rules"], seats=stored["seats"]),
            standings=rules_from_json(stored["standings"]),
            clock=ClockSettings.from_json(stored["clock"]),
            ladder=Ladder.from_json(stored["ladder"]),
            rated=stored["rated"],
            schedule=Schedule(stored["schedule"]),
            rounds=stored["rounds"],
            division_size=stored["division_size"],
            registration=timedelta(seconds=stored["registration"]),
            length=timedelta(seconds=stored["length"]),
            again=stored["again"],
        )
