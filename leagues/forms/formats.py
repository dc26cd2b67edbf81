"""Formats of a league's form: which settings each has, and suggestions for empty fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from django.utils.translation import gettext_lazy

from games.clocks import DAY
from leagues.lookup import find_format, list_formats
from leagues.setting_fields import Setting, list_settings
from leagues.setting_words import ALONE, SIDES, TEAMS, WORLD
from leagues.settings import LONGEST_SEASON, LeagueSettings, Schedule
from leagues.standings import DEFAULT_POINTS, ComparisonRule

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from leagues.formats.base import Format

USUAL_EXPECTED = {ALONE: 8, TEAMS: 6, WORLD: 8}
USUAL_DIVISION = {TEAMS: 6, WORLD: 4}
WEEK = 7 * DAY


class FormatFields(NamedTuple):
    """The values that determine which fields a league's form has."""

    sides: str  # ALONE, TEAMS or WORLD
    schedule: str
    seats: int
    duplicate: bool
    alone: bool  # whether the comparison decides alone
    series: bool  # whether a match has several games, and points of its own (STAND-2)

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return the format of *given*, which are values or raw data."""
        sides = given.get("sides") if given.get("sides") in SIDES else ALONE
        schedule, seats = given.get("schedule"), str(given.get("seats"))
        if sides == WORLD:
            schedule, seats = Schedule.GROUPS, "2"
        return cls(
            str(sides),
            str(schedule)
            if any(schedule == each.schedule for each in list_formats())
            else Schedule.ROUND_ROBIN,
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
    def format(self) -> Format:
        return find_format(self.schedule, self.seats)

    def list_settings(self, kind: type[LeagueSettings]) -> Iterator[Setting]:
        """Yield the settings of this format."""
        return (each for each in list_settings(kind) if each.formats(self))

    def list_labels(self) -> Mapping[str, StrOrPromise]:
        """Return labels of fields that this format labels differently, by name."""
        if self.sides == ALONE:
            return self.format.labels
        of_teams = {
            "expected": gettext_lazy("Teams you expect"),
            "up": gettext_lazy("Teams that move up"),
            "down": gettext_lazy("Teams that move down"),
        }
        return {**self.format.labels, **of_teams, **self.format.team_labels}

    def suggest_numbers(self, given: Mapping[str, Any]) -> dict[str, int]:
        """Return the defaults of empty fields, except lengths."""
        expected = given.get("expected") or given.get("most_players") or USUAL_EXPECTED[self.sides]
        size = given.get("division_size") or self._suggest_division_size(expected)
        moving = size // 4 if self.format.divided and expected > size else 0
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
        return self.format.suggest_division_size(self.seats, expected)

    def _suggest_rounds(self, players: int) -> int:
        return self.format.suggest_rounds(self.seats, players) if self.sides == ALONE else 1


def suggest_spans(settings: LeagueSettings, expected: int) -> dict[str, timedelta]:
    """Return the default lengths of a season and of a challenge: until games are usually over."""
    length, challenge = settings.format.suggest_lengths(settings, expected, LONGEST_SEASON)
    return {"length": min(-(-length // WEEK) * WEEK, LONGEST_SEASON), "challenge_length": challenge}
