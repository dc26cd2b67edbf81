"""The turning point of a game that was played to its end: the scoring that decided it, and its turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from .board import Board, Spot
from .events import Deployed, Event, Placed, Returned, Scored
from .ruleset import get_scored_spot
from .state import State

Moves = Iterable[tuple[int | None, Sequence[Event]]]
"""The moves of a game, oldest first: the number of the turn, if it is one, and the events."""


class Stand(NamedTuple):
    """A figure that was put on a feature: the turn, its seat, what it is, and where."""

    turn: int
    seat: int
    meeple: str
    spot: Spot


class TurningPoint(NamedTuple):
    """The scoring of one feature, and the turn that made it.

    A feature scored in the course of the game was made by the turn that completed it. One scored at the end
    was made by the figure that brought its majority.
    """

    turn: int
    seat: int  # whose turn it was
    x: int  # of the tile that was placed
    y: int
    scored: tuple[Scored, ...]  # by seat
    at_end: bool

    @property
    def spot(self) -> Spot:
        """A spot of the feature."""
        found = get_scored_spot(self.scored[0])
        assert found is not None, "only features are turning points"
        return found

    @property
    def points(self) -> dict[int, int]:
        """The points of the seats that scored."""
        return {scored.seat: scored.points for scored in self.scored}

    @property
    def scorer(self) -> int:
        """The seat with the most points; the first one in the scoring among equals."""
        return max(self.points, key=lambda seat: self.points[seat])


class _Candidate(NamedTuple):
    point: TurningPoint
    decides: bool
    swing: int


def find_turning_point(moves: Moves, state: State, seats: Collection[int]) -> TurningPoint | None:
    """Return the scoring whose loss would have changed who has the most points, otherwise the one that moved
    *seats*, those who could win, furthest apart; the first of several alike. ``None`` if no feature did.

    *state* is that at the end. Points of no feature, such as those for goods, made no turning point.

    >>> from games.rules import Draw, Final, Game, RuleSet
    >>> from games.rules.notation import read
    >>> game = Game.new(RuleSet.of()).play(Draw("base.U")).play(read("1,0 r0 road E", tile="base.U"))
    >>> game = game.cut_short().play(Final())
    >>> moves = zip([None, 1, None], [played.events for played in game.played])
    >>> found = find_turning_point(moves, game.state, {0, 1})
    >>> found.turn, found.seat, (found.x, found.y), found.points, found.at_end
    (1, 0, (1, 0), {0: 2}, True)
    """
    moves = list(moves)
    totals = Counter(dict.fromkeys(seats, 0))
    for _turn, events in moves:
        for event in events:
            if isinstance(event, Scored) and event.seat in seats:
                totals[event.seat] += event.points
    found = []
    for point in _list_scorings(moves, state):
        gains = {seat: point.points.get(seat, 0) for seat in seats}
        without = {seat: totals[seat] - gain for seat, gain in gains.items()}
        swing = max(gains.values()) - min(gains.values())
        if swing > 0:
            found.append(_Candidate(point, _find_leaders(without) != _find_leaders(totals), swing))
    best = max(found, key=lambda one: (one.decides, one.swing), default=None)
    return best.point if best else None


def _find_leaders(totals: Mapping[int, int]) -> set[int]:
    most = max(totals.values())
    return {seat for seat, points in totals.items() if points == most}


def _list_scorings(
    moves: Iterable[tuple[int | None, Sequence[Event]]], state: State
) -> Iterator[TurningPoint]:
    """Yield the scorings of features whose turn is known."""
    placed: list[tuple[int, Placed]] = []
    standing: list[Stand] = []
    for turn, events in moves:
        for event in events:
            if isinstance(event, Placed) and turn is not None:
                placed.append((turn, event))
            elif isinstance(event, Deployed) and turn is not None:
                standing.append(Stand(turn, event.seat, event.meeple, Spot(*event[2:])))
            elif isinstance(event, Returned):
                gone = event.seat, event.meeple, Spot(*event[2:])
                standing = [one for one in standing if one[1:] != gone]
        scored = (event for event in events if isinstance(event, Scored) and event.points)
        for spot, group in groupby(scored, key=get_scored_spot):
            if spot is None:
                continue
            gains = tuple(group)
            if turn is None:
                made = _find_winning_turn(gains, spot, standing, placed, state)
            else:
                made = placed[-1] if placed else None
            if made is not None:
                yield TurningPoint(made[0], made[1].seat, made[1].x, made[1].y, gains, turn is None)


def _find_winning_turn(
    gains: Sequence[Scored],
    spot: Spot,
    standing: Iterable[Stand],
    placed: Sequence[tuple[int, Placed]],
    state: State,
) -> tuple[int, Placed] | None:
    """Return the turn of the figure with which the seat with the most points had as many as it needed for the
    feature at *spot*; the last turn on it if its figures came otherwise than with a tile."""
    board, strengths = state.board, state.rules.strengths
    segments = set(board.features[board.code(spot)].segments)
    winner = max(gains, key=lambda one: one.points).seat
    others: Counter[int] = Counter()
    there = [one for one in standing if board.code(one.spot) in segments]
    for one in there:
        if one.seat != winner:
            others[one.seat] += strengths[one.meeple]
    needed = max(others.values(), default=0) + (len(gains) == 1)
    strength = 0
    for one in there:
        strength += strengths[one.meeple] if one.seat == winner else 0
        if one.seat == winner and strength >= needed:
            return next((made for made in placed if made[0] == one.turn), None)
    return next((made for made in reversed(placed) if _touches(made[1], segments, board)), None)


def _touches(placed: Placed, segments: Collection[int], board: Board) -> bool:
    return any((spot := board.spot(code)).x == placed.x and spot.y == placed.y for code in segments)
