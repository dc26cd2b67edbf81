"""Calendar of a season before it is founded: its rounds, their ends and usual ends (CLOCK-25).

Rounds are computed from the settings and the expected number of players, or teams. Nothing here reads or
writes rows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from games.clocks import DAY, USUAL_ANSWER, compute_usual_length, compute_worst_case_end
from games.rules import count_most_decisions, count_turns
from leagues.settings import LONGEST_SEASON, LeagueSettings

USUAL_SWISS_ROUND = 7 * DAY
"""Length that Swiss rounds have at the expense of later ones, as long as these keep their least time."""

LEAST_ROUND = 2 * DAY
"""Minimum length of any round: no game begins in its last day."""

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
    usual_length: timedelta  # of its games, without the time for protests
    title: str = ""  # its name, where stage and number don't give it

    @property
    def length(self) -> timedelta:
        return self.ends - self.begins

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
    wait: timedelta = timedelta()  # between such rounds, with all that may delay the next one

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

    def compute_least_time(self, stage: Stage) -> timedelta:
        """Return the least time of each round of *stage*: the usual length of its games, or half of what the
        longest round has, whichever is less (STAND-20)."""
        longest = max(each.length for each in self.rounds)
        usual = max((each.usual_length for each in self.rounds if each.stage == stage), default=longest)
        return max(min(usual, longest / 2), LEAST_ROUND)

    @property
    def least_time(self) -> timedelta:
        """Return the least time of any round."""
        return min(self.compute_least_time(stage) for stage in {each.stage for each in self.rounds})

    @property
    def waits(self) -> bool:
        """Return whether some of its rounds wait for others."""
        return any(each.stage in (Stage.SWISS, Stage.KNOCK_OUT) for each in self.rounds[1:])

    def list_short_rounds(self) -> list[CalendarRound]:
        """Return the rounds that have less than their least time."""
        return [each for each in self.rounds if each.length < self.compute_least_time(each.stage)]

    @property
    def is_too_short(self) -> bool:
        """Return whether founding refuses it, whatever is confirmed (STAND-20)."""
        return bool(self.list_short_rounds())

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
        begins, ends, tuple(settings.format.list_calendar_rounds(reckoning)), settings.protest, settings.wait
    )


def suggest_length(settings: LeagueSettings, *, players: int) -> timedelta:
    """Return the shortest length of a season, in whole days, in which games are usually over; the longest
    allowed if none is long enough."""
    return _find_length(settings, players, lambda calendar: not calendar.late and not calendar.is_too_short)


def compute_shortest_length(settings: LeagueSettings, *, players: int) -> timedelta | None:
    """Return the shortest length of a season, in whole days, in which each round has its least time
    (STAND-20); None if the longest allowed is too short."""
    length = _find_length(settings, players, lambda calendar: not calendar.is_too_short)
    longest = replace(settings, length=length)
    return None if build_calendar(longest, players=players, begins=ANY_TIME).is_too_short else length


def _find_length(
    settings: LeagueSettings, players: int, is_long_enough: Callable[[SeasonCalendar], bool]
) -> timedelta:
    """The shortest length whose calendar is long enough, or the longest allowed."""

    def is_enough(days: int) -> bool:
        longer = replace(settings, length=days * DAY)
        return is_long_enough(build_calendar(longer, players=players, begins=ANY_TIME))

    days = range(1, LONGEST_SEASON // DAY + 1)
    at = bisect_left(days, True, key=is_enough)
    return days[min(at, len(days) - 1)] * DAY


def compute_round_end(
    begins: datetime,
    ends: datetime,
    *,
    left: int,
    wait: timedelta,
    least: timedelta = timedelta(),
    usual: timedelta = timedelta(),
) -> datetime:
    """Return the latest end of the games of a round that *begins* then (STAND-16).

    The rounds *left* share the time until *ends* equally, except for the *wait* between them. A round has
    its *usual* length while later ones keep their *least* time, and has its own least time in any case, even
    if that is after *ends* (STAND-20).
    """
    to_play = ends - begins - (left - 1) * wait
    spared = min(usual, to_play - (left - 1) * least)
    return begins + max(to_play / left, spared, least)


def compute_groups_end(
    begins: datetime, ends: datetime, *, later: int, wait: timedelta, usual: timedelta
) -> datetime:
    """Return the latest end of games of groups in a season from *begins* to *ends*: half of it, or less so
    that so many *later* rounds, with a *wait* before each, have at least half of that time, or the *usual*
    length of their games (STAND-20)."""
    time = ends - begins
    to_play = time - later * wait
    enough = max(to_play / (1 + later / 2), to_play - later * usual)
    shared = max(min(time / GROUPS_SHARE, enough), timedelta())
    return begins + shared - shared % timedelta(minutes=1)  # half of it is exact


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
        self, rounds: int, since: datetime, usual: timedelta = timedelta()
    ) -> Iterator[tuple[datetime, datetime]]:
        """Yield when each of so many *rounds* begins and ends that share the time *since* then equally, with
        all waits between them; a *usual* length is at the expense of later ones."""
        wait, begins = self.settings.wait, since
        for left in range(rounds, 0, -1):
            ends = compute_round_end(begins, self.ends, left=left, wait=wait, usual=usual)
            yield begins, ends
            begins = min(ends + wait, self.ends)

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
        length = self.compute_usual_length(games, games_at_once)
        usual = min(begins + length + protest, worst)
        return CalendarRound(
            stage, number, 0, games, games_at_once, begins, ends, usual, worst, min(length, usual - begins)
        )

    def compute_usual_length(self, games: int, games_at_once: int = 1) -> timedelta:
        """Return the usual length of so many *games*, one after the other (CLOCK-25)."""
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
            length = self.compute_usual_length(self.settings.standings.best_of, at_once)
            if -(-length // every) <= at_once:
                break
            at_once += 1
        return at_once
