"""Settings of a league, a value stored as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from games.clocks import DAY, USUAL_CLOCK, ClockSettings, Ladder, TimeoutStep
from games.rules import RuleSet
from games.tables.settings import TableSettings
from leagues.schedules import LadderRules
from leagues.schedules.team_rules import TeamRules
from leagues.standings import ComparisonRule, Rules, Withdrawn, rules_from_json, rules_to_json

LEAST_DIVISION, MOST_DIVISION = 2, 60
LONGEST_SEASON = 400 * DAY
LONGEST_PROTEST = 7 * DAY
MOST_DECLINES = 20
SHORTEST_CUP = 28 * DAY
"""Minimum length of a season with a knock-out, whose rounds share it."""

LEAST_TEAMS = 3
"""Minimum number of teams in the last division; a smaller one joins the one above it."""


class Schedule(StrEnum):
    """Formats of a division."""

    ROUND_ROBIN = "round-robin"  # everybody meets everybody; at larger tables about equally often
    SWISS = "swiss"  # duels, in rounds drawn one after the other (STAND-15)
    KNOCK_OUT = "knock-out"  # duels: losers are out
    GROUPS = "groups"  # duels: round robins in groups, the best of which go on to a knock-out
    LADDER = "ladder"  # duels: a player who loses a challenge loses the place to the challenger


class Seeding(StrEnum):
    """Initial orders of a knock-out, groups or a ladder."""

    RATING = "rating"
    REGISTRATION = "registration"
    POTS = "pots"  # by lot among players of similar rating


class Admission(StrEnum):
    """Conditions of registration for a season."""

    OPEN = "open"  # everybody
    LINK = "link"  # players with the league's link
    APPROVAL = "approval"  # players whom an organiser accepts


@dataclass(frozen=True, slots=True, kw_only=True)
class CupRules:
    """Rules of a knock-out.

    ``longer``: from a round of so many matches on, matches are best of so many games: ``((4, 5),)`` from the
    quarter-finals. ``from_group``: how many of each group go on, where there are groups before it.
    """

    third_place: bool = False
    longer: tuple[tuple[int, int], ...] = ()
    from_group: int = 2

    def to_json(self) -> dict[str, Any]:
        longer = [list(one) for one in self.longer]
        return {"third_place": self.third_place, "longer": longer, "from_group": self.from_group}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> CupRules:
        longer = tuple((ties, games) for ties, games in stored["longer"])
        return cls(third_place=stored["third_place"], longer=longer, from_group=stored["from_group"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRules:
    """Rules of challenges on a ladder: reach and rest, length, and the number that a player may decline in a
    season without losing the place."""

    ladder: LadderRules = field(default_factory=LadderRules)
    length: timedelta = 30 * DAY
    declines: int = 0

    def to_json(self) -> dict[str, int]:
        return {
            "reach": self.ladder.reach,
            "rest": int(self.ladder.rest.total_seconds()),
            "length": int(self.length.total_seconds()),
            "declines": self.declines,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, int]) -> ChallengeRules:
        ladder = LadderRules(stored["reach"], timedelta(seconds=stored["rest"]))
        length = timedelta(seconds=stored["length"])
        return cls(ladder=ladder, length=length, declines=stored.get("declines", 0))


def usual_ladder() -> Ladder:
    """Return the usual steps after a timeout: an excuse and a day of holiday, then the game is lost, as no
    stranger takes over in a league."""
    return Ladder(last=TimeoutStep.LOSS)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSettings:
    """All settings known before registration. A season keeps those that it began with.

    ``rounds``: how often every pair of a round robin meets, or how many rounds there are of tables and Swiss.
    Where there are ``teams``, divisions are of teams, and so is ``division_size``.
    """

    rules: RuleSet
    standings: Rules
    clock: ClockSettings = USUAL_CLOCK  # without a hard end: games end with the season
    ladder: Ladder = field(default_factory=usual_ladder)
    rated: bool = True
    schedule: Schedule = Schedule.ROUND_ROBIN
    rounds: int = 1
    division_size: int = 8
    registration: timedelta = 7 * DAY
    length: timedelta = 90 * DAY
    protest: timedelta = DAY  # time for protests before anything follows from results (STAND-17)
    again: bool = True  # the next season opens by itself
    duplicate: bool = False  # all tables of a round draw the same tiles
    seeding: Seeding = Seeding.RATING
    cup: CupRules = field(default_factory=CupRules)
    challenges: ChallengeRules = field(default_factory=ChallengeRules)
    late_until: int = 0  # percentage of a season until which players may join by themselves
    most_players: int = 0  # further players wait; 0: no limit
    teams: TeamRules | None = None  # none: single players
    admission: Admission = Admission.OPEN

    @property
    def seats(self) -> int:
        return self.rules.seats

    @property
    def swiss(self) -> bool:
        return self.schedule == Schedule.SWISS

    @property
    def divided(self) -> bool:
        """Return whether divisions are ranked, with promotion and relegation (STAND-13)."""
        return self.schedule in (Schedule.ROUND_ROBIN, Schedule.SWISS)

    @property
    def protest_time(self) -> timedelta:
        """Return the time to protest against results, which organisers may correct (STAND-17). Zero on a
        ladder, whose challenges count at once, though its season closes as late as any other."""
        return timedelta() if self.schedule == Schedule.LADDER else self.protest

    @property
    def substitutes(self) -> bool:
        """Return whether organisers can replace a player who leaves."""
        return self.teams is None and self.schedule not in (Schedule.KNOCK_OUT, Schedule.LADDER)

    @property
    def latecomers(self) -> bool:
        """Return whether players can join a season in progress."""
        return self.teams is None and self.divided and self.seats == 2

    @property
    def knock_out(self) -> bool:
        """Return whether it ends with a knock-out."""
        return self.schedule in (Schedule.KNOCK_OUT, Schedule.GROUPS)

    @property
    def counts_points(self) -> bool:
        """Return whether there are tables that are ordered by points first."""
        in_tables = self.schedule in (Schedule.ROUND_ROBIN, Schedule.SWISS, Schedule.GROUPS)
        return in_tables and (self.teams is not None or self.standings.counts_points)

    def faults(self) -> Iterator[str]:
        """Yield the names of invalid values."""
        yield from self.standings.faults()
        if self.standings.seats != self.seats:
            yield "points"
        if self.schedule != Schedule.ROUND_ROBIN and self.seats != 2:
            yield "schedule"
        yield from self._faults_of_formats()
        if self.rounds < 1 or self.rounds > MOST_DIVISION:
            yield "rounds"
        if not max(LEAST_DIVISION, self.seats) <= self.division_size <= MOST_DIVISION:
            yield "division_size"
        if self.standings.up + self.standings.down > self.division_size:
            yield "down"
        if self.clock.ends is not None or next(self.clock.faults(), None):
            yield "clock"
        if self.ladder.last != TimeoutStep.LOSS:
            yield "ladder"
        yield from self._faults_of_teams()
        if self.registration < timedelta() or not DAY <= self.length <= LONGEST_SEASON:
            yield "length"
        if not timedelta() <= self.protest <= LONGEST_PROTEST:
            yield "protest"
        if not 0 <= self.late_until <= 100 or (self.late_until and self.seats != 2):
            yield "late_until"
        if self.most_players and self.most_players < max(LEAST_DIVISION, self.seats):
            yield "most_players"
        yield from (refused.code for refused in self.table(None).refusals())

    def _faults_of_formats(self) -> Iterator[str]:
        if not self.divided and (self.standings.up or self.standings.down):
            yield "up"
        if self.knock_out and self.length < SHORTEST_CUP:
            yield "short"
        if any(ties < 1 or games < 1 or games % 2 == 0 for ties, games in self.cup.longer):
            yield "longer"
        if self.seeding == Seeding.POTS and self.schedule == Schedule.LADDER:
            yield "seeding"
        if self.schedule == Schedule.GROUPS and not 1 <= self.cup.from_group <= self.division_size:
            yield "from_group"
        if not DAY < self.challenges.length <= LONGEST_SEASON:
            yield "challenge_length"
        if not 0 <= self.challenges.declines <= MOST_DECLINES:
            yield "declines"
        if self.duplicate and self.schedule == Schedule.LADDER:
            yield "duplicate"
        in_tables = self.divided or self.schedule == Schedule.GROUPS
        if self.standings.comparison != ComparisonRule.SHOWN and not (
            self.duplicate and in_tables and self.teams is None
        ):
            yield "comparison"

    def _faults_of_teams(self) -> Iterator[str]:
        if self.teams is None:
            return
        yield from self.teams.faults()
        if self.seats != 2 or self.schedule in (Schedule.SWISS, Schedule.LADDER):
            yield "teams"
        if self.admission != Admission.OPEN:
            yield "team_admission"
        if self.standings.withdrawn == Withdrawn.STRIKE:
            yield "team_withdrawn"
        if self.length < self.least_length:
            yield "team_length"

    @property
    def least_length(self) -> timedelta:
        """The time that all rounds of the largest division of teams, and a knock-out, need."""
        teams = self.teams
        if self.schedule == Schedule.KNOCK_OUT or (teams is None and self.knock_out):
            return SHORTEST_CUP
        if teams is None:
            return DAY
        groups = self.schedule == Schedule.GROUPS
        largest = self.division_size
        if not groups:
            largest += LEAST_TEAMS - 1  # the last division may have joined it
        meetings = largest - 1 + largest % 2
        return teams.lasts(self.rounds * meetings) + (SHORTEST_CUP if groups else timedelta())

    def table(self, ends: datetime | None, name: str = "", seats: int | None = None) -> TableSettings:
        """Return the settings of a game that *ends* then, with fewer *seats* where players are missing."""
        rules = self.rules if seats is None else RuleSet.from_json(self.rules.to_json(), seats=seats)
        return TableSettings(
            rules=rules,
            name=name,
            clock=replace(self.clock, ends=ends),
            ladder=self.ladder,
            rated=self.rated,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the form stored with leagues and seasons."""
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
            "protest": int(self.protest.total_seconds()),
            "again": self.again,
            "duplicate": self.duplicate,
            "seeding": self.seeding.value,
            "cup": self.cup.to_json(),
            "challenges": self.challenges.to_json(),
            "late_until": self.late_until,
            "most_players": self.most_players,
            "admission": self.admission.value,
            "teams": None if self.teams is None else self.teams.to_json(),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> LeagueSettings:
        """Parse what :meth:`to_json` wrote, including older versions."""
        cup, challenges = stored.get("cup"), stored.get("challenges")
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
            protest=timedelta(seconds=stored.get("protest", 0)),  # old settings have no protests
            again=stored["again"],
            duplicate=stored.get("duplicate", False),  # missing in older seasons
            seeding=Seeding(stored.get("seeding", Seeding.RATING)),
            cup=CupRules.from_json(cup) if cup else CupRules(),
            challenges=ChallengeRules.from_json(challenges) if challenges else ChallengeRules(),
            late_until=stored.get("late_until", 0),
            most_players=stored.get("most_players", 0),
            admission=Admission(stored.get("admission", Admission.OPEN)),
            teams=TeamRules.from_json(stored["teams"]) if stored.get("teams") else None,
        )
