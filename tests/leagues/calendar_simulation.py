"""Simulated seasons with random answer times alone, to test calendars. It uses none of the calendar's
calculations: rounds are drawn and end as ``docs/leagues.md`` says, clocks as CLOCK-8, 12 and 15."""

from __future__ import annotations

import heapq
import itertools
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from leagues.settings import LeagueSettings, Schedule

HOUR = 1.0
DAY = 24 * HOUR
ANSWER = 16 * HOUR
PACE_SPREAD = 0.2
FURTHER_GAME = 0.05


@dataclass
class SimulatedMatch:
    """Series of games of *players*, the first of which begins at *begins*, with the hard end *ends*."""

    players: tuple[int, ...]
    begins: float
    ends: float
    best_of: int = 1
    games_over: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    over: float | None = None

    @property
    def decided(self) -> bool:
        return max(self.wins.values(), default=0) > self.best_of // 2 or self.games_over == self.best_of


@dataclass
class RunningGame:
    """A game of *match*; ``banks`` has the time of each player, in hours."""

    match: SimulatedMatch
    banks: dict[int, float]
    turn: int = 0


class SimulatedSeason:
    """Season of *players* with random answer times. Counts games that are over before their end
    (*in_time*), and those that are not (*cut*)."""

    def __init__(self, settings: LeagueSettings, players: int, lot: random.Random) -> None:
        self.settings, self.lot, self.players = settings, lot, players
        self.turns = sum(sum(group.values()) for group in settings.rules.bag)
        self.pace = [max(0.3, lot.gauss(1, PACE_SPREAD)) for _ in range(players * 20)]
        self.protest = settings.protest.total_seconds() / 3600
        self.ends = settings.length.total_seconds() / 3600
        self.in_time = self.cut = 0

    def play(self) -> None:
        settings = self.settings
        if settings.teams is not None:
            self._play_teams()
        elif settings.schedule == Schedule.ROUND_ROBIN and settings.seats == 2:
            for division in self._divide():
                self._run(self._round_robin(division, self.ends))
        elif settings.schedule == Schedule.ROUND_ROBIN:
            for division in self._divide():
                self._run(self._tables(division))
        elif settings.schedule == Schedule.SWISS:
            for division in self._divide():
                self._play_swiss(division)
        elif settings.schedule == Schedule.LADDER:
            length = settings.challenges.length.total_seconds() / 3600
            for first in range(0, self.players - 1, 2):
                self._run([self._match((first, first + 1), 0, length)])
        else:
            self._play_cup()

    def _divide(self) -> list[list[int]]:
        size, everybody = self.settings.division_size, list(range(self.players))
        drawn = [everybody[at : at + size] for at in range(0, self.players, size)]
        if len(drawn) > 1 and len(drawn[-1]) < max(4, self.settings.seats):
            drawn[-2:] = [drawn[-2] + drawn[-1]]
        return drawn

    def _match(self, players: Iterable[int], begins: float, ends: float) -> SimulatedMatch:
        return SimulatedMatch(tuple(players), begins, ends, self.settings.standings.best_of)

    def _round_robin(self, players: Sequence[int], ends: float) -> list[SimulatedMatch]:
        return [
            self._match((one, other), 0, ends)
            for at, one in enumerate(players)
            for other in players[at + 1 :]
            for _ in range(self.settings.rounds)
        ]

    def _tables(self, players: Sequence[int]) -> list[SimulatedMatch]:
        seats, drawn = min(self.settings.seats, len(players)), []
        for _ in range(self.settings.rounds):
            order = self.lot.sample(list(players), len(players))
            tables = [order[at : at + seats] for at in range(0, len(order), seats)]
            drawn += [self._match(table, 0, self.ends) for table in tables if len(table) >= min(3, seats)]
        return drawn

    def _play_swiss(self, players: Sequence[int]) -> None:
        now, rounds = 0.0, min(self.settings.rounds, len(players) - 1)
        for left in range(rounds, 0, -1):
            order = self.lot.sample(list(players), len(players))
            pairs = zip(order[::2], order[1::2], strict=False)
            ends = self._end_round(now, left, least=7 * DAY)
            now = self._run([self._match(pair, now, ends) for pair in pairs]) + self.protest

    def _end_round(self, now: float, left: int, least: float = 0.0) -> float:
        """The end of a round, by which the rounds *left* share the time, half of which may go to protests."""
        time = max(0.0, self.ends - now)
        share = max(time - (left - 1) * self.protest, time / 2) / left
        return min(self.ends, now + max(share, least))

    def _play_cup(self) -> None:
        settings, players, since = self.settings, list(range(self.players)), 0.0
        if settings.schedule == Schedule.GROUPS:
            since, players = self._play_groups(players)
        self._play_knock_out(players, since, 1)

    def _play_groups(self, players: list[int]) -> tuple[float, list[int]]:
        settings = self.settings
        number = max(1, min(-(-len(players) // settings.division_size), len(players) // 2))
        groups = [players[at::number] for at in range(number)]
        matches = [match for group in groups for match in self._round_robin(group, self.ends / 2)]
        over = self._run(matches) + self.protest
        taken = max(settings.cup.from_group, -(-2 // number))
        return over, [player for group in groups for player in group[: min(taken, len(players) // number)]]

    def _play_knock_out(self, players: list[int], now: float, boards: int) -> None:
        """Pairs of *players*, or of teams at so many *boards*; the rounds left share the time left."""
        places = 1 << (len(players) - 1).bit_length()
        while places > 1:
            ties = places // 2
            ends = self._end_round(now, places.bit_length() - 1)
            begins = now
            if self.settings.teams is not None:
                begins += min(self.settings.teams.begins(1).total_seconds() / 3600, (ends - now) / 2)
            half = len(players) - ties  # so many meet; the others have a bye
            pairs = [(players[ties - 1 - at], players[ties + at]) for at in range(half)]
            matches = [
                self._match((one * boards + board, other * boards + board), begins, ends)
                for one, other in pairs
                for board in range(boards)
            ]
            now = max(self._run(matches), begins) + self.protest
            players, places = players[:ties], ties

    def _play_teams(self) -> None:
        settings, rules = self.settings, self.settings.teams
        assert rules is not None
        teams = list(range(self.players))
        if settings.schedule == Schedule.KNOCK_OUT:
            self._play_knock_out(teams, 0.0, rules.boards)
            return
        grouped = settings.schedule == Schedule.GROUPS
        number = max(1, min(-(-len(teams) // settings.division_size), len(teams) // 2)) if grouped else 0
        divisions = [teams[at::number] for at in range(number)] if grouped else self._divide()
        meetings = settings.rounds * max(len(each) - 1 + len(each) % 2 for each in divisions)
        lasts = rules.lasts(meetings).total_seconds() / 3600
        ends = max(self.ends / 2, lasts) if grouped else self.ends
        matches = []
        for division in divisions:
            for round_number, pairs in enumerate(draw_circle(division) * settings.rounds, start=1):
                begins = rules.begins(round_number).total_seconds() / 3600
                matches += [
                    self._match((one * rules.boards + board, other * rules.boards + board), begins, ends)
                    for one, other in pairs
                    for board in range(rules.boards)
                ]
        over = self._run(matches) + self.protest
        if grouped:
            taken = max(settings.cup.from_group, -(-2 // number))
            going_on = [team for each in divisions for team in each[: min(taken, len(teams) // number)]]
            self._play_knock_out(going_on, over, rules.boards)

    def _run(self, matches: Sequence[SimulatedMatch]) -> float:
        """Play *matches* side by side, and return the end of the last one."""
        playing: Counter[int] = Counter()
        queue: list[tuple[float, int, SimulatedMatch | RunningGame]] = []
        order = itertools.count()
        for match in matches:
            heapq.heappush(queue, (match.begins, next(order), match))
        while queue:
            now, _, due = heapq.heappop(queue)
            if isinstance(due, RunningGame) and not self._is_over(due, now):
                heapq.heappush(queue, (now + self._draw_answer(due, playing), next(order), due))
                continue
            match = due if isinstance(due, SimulatedMatch) else due.match
            if isinstance(due, RunningGame):
                playing.subtract(match.players)
                self._end_game(match, now)
            if match.over is None:
                if now > match.ends - DAY:  # no game begins any more in the last day
                    self.cut += 1
                    match.over = min(now, match.ends)
                    continue
                playing.update(match.players)
                heapq.heappush(queue, (now, next(order), self._begin_game(match)))
        return max((match.over or 0.0 for match in matches), default=0.0)

    def _begin_game(self, match: SimulatedMatch) -> RunningGame:
        bank = self.settings.clock.start.total_seconds() / 3600
        return RunningGame(match, dict.fromkeys(match.players, bank))

    def _is_over(self, game: RunningGame, now: float) -> bool:
        return now >= game.match.ends or game.turn == self.turns

    def _end_game(self, match: SimulatedMatch, now: float) -> None:
        if now >= match.ends:
            self.cut += 1
            match.over = match.ends
            return
        self.in_time += 1
        match.games_over += 1
        match.wins[self.lot.choice(match.players)] += 1
        match.over = now if match.decided else None

    def _draw_answer(self, game: RunningGame, playing: Counter[int]) -> float:
        """The time of the next answer; one that would be late comes at the last moment."""
        clock = self.settings.clock
        player = game.match.players[game.turn % len(game.match.players)]
        mean = ANSWER * self.pace[player] * (1 + FURTHER_GAME * (playing[player] - 1))
        grace, gain, cap = (span.total_seconds() / 3600 for span in (clock.grace, clock.gain, clock.cap))
        answer = min(self.lot.expovariate(1 / mean), grace + game.banks[player])
        left = game.banks[player] - max(0.0, answer - grace)
        game.banks[player] = left if left >= cap else min(cap, left + gain)
        game.turn += 1
        return answer


def draw_circle(teams: Sequence[int]) -> list[list[tuple[int, int]]]:
    """The pairs of each round, by the circle method."""
    seats: list[int | None] = list(teams) + [None] * (len(teams) % 2)
    rounds = []
    for _ in range(len(seats) - 1):
        pairs = zip(seats[: len(seats) // 2], reversed(seats), strict=False)
        rounds.append([(one, other) for one, other in pairs if one is not None and other is not None])
        seats[1:] = [seats[-1], *seats[1:-1]]
    return rounds
