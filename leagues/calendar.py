"""Calendar of a season before it is founded: its rounds, their ends and usual ends (CLOCK-25).

Rounds are computed from the settings and the expected number of players, or teams. Nothing here reads or
writes rows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from games.clocks import DAY, USUAL_ANSWER, compute_usual_length, compute_worst_case_end
from games.rules import count_most_decisions, count_turns
from leagues.settings import LONGEST_SEASON, LeagueSettings

LEAST_SWISS_ROUND = 7 * DAY
"""Minimum length of a Swiss round, at the expense of later rounds."""

GROUPS_SHARE = 2
"""Divisor of the season's length that gives the time for the groups; the knock-out has the rest."""

LEAST_LAST_DIVISION = 4
"""Minimum number of players in the last division; a smaller one joins the one above it."""

LEAST_TEAMS = 3
"""Minimum number of teams in the last division; a smaller one joins the one above it."""

FEWEST_SEEDS = 2
"""Minimum number of players in the knock-out after groups, even if only one group was drawn."""

MANY_GAMES = 15
"""Maximum number of simultaneous games without a warning."""

ENDLESS = datetime.max.replace(tzinfo=UTC)
ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)
LONGEST_CHAIN = 366 * 100 * DAY
"""Time after which a chain of consecutive games counts as endless."""


class Stage(StrEnum):
    """Kinds of rounds, by how the dates of their games are set."""

    ALL = "all"  # all games of a season at once; for teams, each round at its own date
    SWISS = "swiss"  # one round after the other
    GROUPS = "groups"  # as ALL, before a knock-out
    KNOCK_OUT = "knock-out"
    CHALLENGE = "challenge"  # on a ladder, whenever somebody makes one


class CalendarRound(NamedTuple):
    """Round with its dates: games begin then, end hard at ``ends``, and are usually over at ``usual_end``."""

    stage: Stage
    number: int  # within its stage, from 1
    matches: int  # number of matches in a round of a knock-out, which names it; else 0
    best_of: int
    games_at_once: int  # of each player
    begins: datetime
    ends: datetime
    usual_end: datetime
    worst_end: datetime  # ENDLESS if there is no limit
    title: str = ""  # its name, where stage and number don't give it

    @property
    def late(self) -> bool:
        """Return whether more games than usual would reach their hard end."""
        return self.usual_end > self.ends


@dataclass(frozen=True, slots=True)
class SeasonCalendar:
    """Rounds of a season, the first one first."""

    begins: datetime
    ends: datetime
    rounds: tuple[CalendarRound, ...]
    protest: timedelta  # between rounds that wait for each other

    @property
    def games_at_once(self) -> int:
        return max(each.games_at_once for each in self.rounds)

    @property
    def has_many_games(self) -> bool:
        """Return whether they are more at once than most people can play."""
        return self.games_at_once > MANY_GAMES

    @property
    def usual_end(self) -> datetime:
        """Return the usual end of games without hard ends: late rounds delay those that wait for them."""
        over = self.begins
        for each in self.rounds:
            waits = each.stage in (Stage.SWISS, Stage.KNOCK_OUT) and over > self.begins
            delay = max(over + self.protest - each.begins, timedelta()) if waits else timedelta()
            over = max(over, each.usual_end + delay)
        return over

    @property
    def worst_end(self) -> datetime:
        return max(each.worst_end for each in self.rounds)

    @property
    def days_late(self) -> int:
        """Return the number of days by which the rounds together would exceed their ends."""
        return sum((each.usual_end - each.ends).days + 1 for each in self.rounds if each.late)

    @property
    def is_endless(self) -> bool:
        """Return whether nothing limits its games."""
        return self.worst_end == ENDLESS

    @property
    def late(self) -> bool:
        """Return whether founding asks for a second yes (CLOCK-25)."""
        return any(each.late for each in self.rounds)


def build_calendar(
    settings: LeagueSettings, *, players: int, begins: datetime, answer: timedelta = USUAL_ANSWER
) -> SeasonCalendar:
    """Build the calendar of a season that *begins* then with so many *players*, or teams.

    :param players: at least two
    :param answer: the usual time to answer of a player with one game
    """
    ends = begins + settings.length
    reckoning = Reckoning(settings, players, begins, ends, answer)
    return SeasonCalendar(
        begins, ends, tuple(settings.format.list_calendar_rounds(reckoning)), settings.protest
    )


def suggest_length(settings: LeagueSettings, *, players: int) -> timedelta:
    """Return the shortest length of a season, in whole days, in which games are usually over; the longest
    allowed if none is long enough."""

    def is_long_enough(days: int) -> bool:
        longer = replace(settings, length=days * DAY)
        return not build_calendar(longer, players=players, begins=ANY_TIME).late

    days = range(1, LONGEST_SEASON // DAY + 1)
    at = bisect_left(days, True, key=is_long_enough)
    return days[min(at, len(days) - 1)] * DAY


def compute_round_end(
    begins: datetime, ends: datetime, *, left: int, protest: timedelta, least: timedelta = timedelta()
) -> datetime:
    """Return the latest end of the games of a round that *begins* then (STAND-16).

    The rounds *left* share the time until *ends* equally, except for the *protest* time between them, which
    takes half of it at most (STAND-17). Each has the *least* while there is time.
    """
    time = max(ends - begins, timedelta())
    to_play = max(time - (left - 1) * protest, time / 2)
    return min(ends, begins + max(to_play / left, least))


def compute_groups_end(begins: datetime, ends: datetime) -> datetime:
    """Return the latest end of games of groups in a season from *begins* to *ends*."""
    return begins + (ends - begins) / GROUPS_SHARE


def count_seeds_of_group(settings: LeagueSettings, groups: int, smallest: int) -> int:
    """Return the number of players who go on from each of so many *groups*; the *smallest* has so many
    players."""
    return min(max(settings.cup.from_group, -(-FEWEST_SEEDS // groups)), smallest)


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Computation of the rounds of one season, with what formats need for theirs."""

    settings: LeagueSettings
    players: int
    begins: datetime
    ends: datetime
    answer: timedelta

    def share_time(
        self, rounds: int, since: datetime, least: timedelta = timedelta()
    ) -> Iterator[tuple[datetime, datetime]]:
        """Yield when each of so many *rounds* begins and ends that share the time *since* then equally, with
        protest times between them."""
        protest, begins = self.settings.protest, since
        for left in range(rounds, 0, -1):
            ends = compute_round_end(begins, self.ends, left=left, protest=protest, least=least)
            yield begins, ends
            begins = min(ends + protest, self.ends)

    def build_round(
        self,
        stage: Stage,
        begins: datetime,
        ends: datetime,
        *,
        number: int = 1,
        games_at_once: int = 1,
        last: bool = True,
    ) -> CalendarRound:
        """Build a round. The usual end of the *last* one includes its protest time; between rounds that
        wait for each other it is counted apart."""
        games = self.settings.standings.best_of
        protest = self.settings.protest if last else timedelta()
        worst = self.compute_worst_end(begins, games)
        usual = min(begins + self._compute_length(games, games_at_once) + protest, worst)
        return CalendarRound(stage, number, 0, games, games_at_once, begins, ends, usual, worst)

    def _compute_length(self, games: int, games_at_once: int) -> timedelta:
        """The usual length of so many *games*, one after the other."""
        rules = self.settings.rules
        turns = games * count_turns(rules)
        return compute_usual_length(turns, seats=rules.seats, games_at_once=games_at_once, answer=self.answer)

    def compute_worst_end(self, began: datetime, games: int) -> datetime:
        """The worst-case end of so many *games*, one after the other, without a hard end (CLOCK-23)."""
        settings, end = self.settings, began
        clock, decisions = replace(settings.clock, ends=None), count_most_decisions(settings.rules)
        for _ in range(games):
            if end >= self.begins + LONGEST_CHAIN:
                return ENDLESS
            end = (
                compute_worst_case_end(
                    clock, settings.ladder, seats=settings.seats, decisions=decisions, began=end
                )
                or ENDLESS
            )
        return end if end == ENDLESS else end + settings.protest

    def size_largest_division(self) -> int:
        """The players of the largest division; one too small at the end joins the one above it."""
        settings = self.settings
        full, rest = divmod(self.players, settings.division_size)
        if not full:
            return self.players
        return settings.division_size + (
            rest if rest < settings.contenders.get_least_division(settings) else 0
        )

    def count_overlapping(self, meetings: int, every: timedelta) -> int:
        """Count the matches that a player has at once, of so many *meetings* that begin *every* few days."""
        at_once = 1
        while at_once < meetings:
            length = self._compute_length(self.settings.standings.best_of, at_once)
            if -(-length // every) <= at_once:
                break
            at_once += 1
        return at_once
