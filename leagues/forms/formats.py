"""Formats of a league's form: the fields of each, and suggestions for empty ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from django.utils.translation import gettext_lazy

from games.clocks import DAY
from leagues.calendar import suggest_challenge_length, suggest_length
from leagues.forms.team import ALONE, TEAMS, WORLD
from leagues.settings import LONGEST_SEASON, LeagueSettings, Schedule
from leagues.standings import DEFAULT_POINTS, ComparisonRule

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

POINTS = tuple(f"points_{place}" for place in range(1, max(DEFAULT_POINTS) + 1))
TIES = tuple(f"tie_{number}" for number in range(1, 7))
CUP = ("late_best_of", "late_from", "third_place")
TEAM = ("boards", "least", "most", "line_up_hours", "round_days")
LADDER = ("reach", "rest", "challenge_length", "declines")
SEVERAL_DIVISIONS = ("up", "down")
USUAL_EXPECTED = {ALONE: 8, TEAMS: 6, WORLD: 8}
USUAL_DIVISION = {ALONE: 8, TEAMS: 6, WORLD: 4}
USUAL_GROUP = 4
WEEK = 7 * DAY
OWN_FIELDS = frozenset(
    (
        *("preset", "seats", "schedule", "best_of", "most_players", "seeding", "division_size", "from_group"),
        *("duplicate", "rounds", "withdrawn", "late_until", "comparison", "admission"),
        *(*SEVERAL_DIVISIONS, *TEAM, *CUP, *LADDER, *POINTS, *TIES),
    )
)
"""Fields that only some formats have."""


KEYS = (
    WORLD,
    *(
        f"{sides}-{schedule}-{seats}{series}"
        for sides in (ALONE, TEAMS)
        for schedule in Schedule
        for seats in DEFAULT_POINTS
        for series in ("", "-series")
    ),
)
"""Possible values of ``Format.key``."""


class Format(NamedTuple):
    """The values that determine which fields a league's form has."""

    sides: str  # ALONE, TEAMS or WORLD
    schedule: Schedule
    seats: int
    duplicate: bool
    alone: bool  # whether the comparison decides alone
    series: bool  # whether a match has several games, and points of its own (STAND-2)

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return the format of *given*, which are values or raw data."""
        sides = given.get("sides") if given.get("sides") in USUAL_EXPECTED else ALONE
        schedule, seats = given.get("schedule"), str(given.get("seats"))
        return cls(
            str(sides),
            Schedule(schedule) if schedule in list(Schedule) else Schedule.ROUND_ROBIN,
            int(seats) if seats in map(str, DEFAULT_POINTS) else 2,
            given.get("duplicate") in (True, "on", "True", "true"),
            given.get("comparison") == ComparisonRule.ALONE,
            str(given.get("best_of", 1)) != "1",
        )

    @property
    def key(self) -> str:
        """Hidden value of the form that tells for which format its fields are."""
        if self.sides == WORLD:
            return WORLD
        return "-".join([self.sides, self.schedule, str(self.seats), *(["series"] if self.series else [])])

    @property
    def cup(self) -> bool:
        return self.sides == WORLD or self.schedule in (Schedule.KNOCK_OUT, Schedule.GROUPS)

    def list_own_fields(self) -> Iterator[str]:
        """Yield the fields of this format, besides those of every league."""
        if self.sides != WORLD:
            yield from ("preset", "seats", "schedule", "best_of")
        if self.sides == TEAMS:
            yield from TEAM
        if self.sides == ALONE:
            yield from ("most_players", "admission")
        if self.cup:
            yield from CUP
        if self.sides != WORLD and (self.cup or self.schedule == Schedule.LADDER):
            yield "seeding"
        if self.schedule == Schedule.LADDER and self.sides != WORLD:
            yield from LADDER
        elif self.sides != WORLD:
            yield from self._list_fields_of_tables()
        if self.sides == WORLD or self.schedule == Schedule.GROUPS:
            yield from ("division_size", "from_group")

    def _list_fields_of_tables(self) -> Iterator[str]:
        yield "duplicate"
        if self.schedule == Schedule.KNOCK_OUT:
            return
        yield "rounds"
        if self.schedule != Schedule.GROUPS:
            yield from ("division_size", *SEVERAL_DIVISIONS)
        if self.sides == TEAMS:
            return
        yield "withdrawn"
        if self.seats == 2 and self.schedule != Schedule.GROUPS:
            yield "late_until"
        if self.duplicate:
            yield "comparison"
        if not (self.duplicate and self.alone):
            yield from (*(() if self.series else POINTS[: self.seats]), *TIES)

    def list_labels(self) -> Iterator[tuple[str, StrOrPromise]]:
        """Yield names and labels of fields that this format labels differently."""
        groups = self.sides == WORLD or self.schedule == Schedule.GROUPS
        if self.sides != ALONE:
            yield "expected", gettext_lazy("Teams you expect")
            yield "up", gettext_lazy("Teams that move up")
            yield "down", gettext_lazy("Teams that move down")
            in_group = gettext_lazy("Teams in a group at most")
            yield "division_size", in_group if groups else gettext_lazy("Teams in a division at most")
        elif groups:
            yield "division_size", gettext_lazy("Players in a group at most")
        if self.seats == 2 and self.schedule != Schedule.SWISS:
            yield "rounds", gettext_lazy("How often each pair meets")

    def suggest_numbers(self, given: Mapping[str, Any]) -> dict[str, int]:
        """Return the defaults of empty fields, except lengths."""
        expected = given.get("expected") or given.get("most_players") or USUAL_EXPECTED[self.sides]
        size = given.get("division_size") or self._suggest_division_size(expected)
        moving = size // 4 if expected > size else 0
        return {
            "expected": expected,
            "division_size": size,
            "rounds": self._suggest_rounds(min(size, expected)),
            "up": moving,
            "down": moving,
        }

    def _suggest_division_size(self, expected: int) -> int:
        if self.sides != ALONE:
            return USUAL_DIVISION[self.sides]
        if self.schedule == Schedule.GROUPS:
            return USUAL_GROUP
        if self.schedule == Schedule.SWISS:
            return max(2, min(60, expected))
        return max(USUAL_DIVISION[ALONE], self.seats)

    def _suggest_rounds(self, players: int) -> int:
        """As many as find a winner in the Swiss system; at tables as many as let about all pairs meet."""
        if self.sides == ALONE and self.schedule == Schedule.SWISS:
            return max(1, min(players - 1, players.bit_length() + 1))
        if self.sides == ALONE and self.seats > 2:
            return max(1, -(-(players - 1) // (self.seats - 1)))
        return 1


def suggest_days(settings: LeagueSettings, expected: int) -> dict[str, int]:
    """Return the default lengths of a season and of a challenge: until games are usually over."""
    least, challenge = settings.least_length, settings.challenges.length
    if settings.schedule == Schedule.LADDER:
        length, challenge = settings.length, suggest_challenge_length(settings)
    elif least > LONGEST_SEASON:  # no season is long enough for these
        length = LONGEST_SEASON
    else:
        length = max(suggest_length(settings, players=expected), least)
    return {"length": _in_weeks(length), "challenge_length": challenge.days}


def _in_weeks(length: timedelta) -> int:
    return min(-(-length // WEEK) * WEEK, LONGEST_SEASON).days


def set_lengths(settings: LeagueSettings, *, length: int, challenge_length: int) -> LeagueSettings:
    """Return *settings* with these lengths of a season and a challenge, in days."""
    challenges = replace(settings.challenges, length=timedelta(days=challenge_length))
    return replace(settings, length=timedelta(days=length), challenges=challenges)
