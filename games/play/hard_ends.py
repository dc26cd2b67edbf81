"""The hard end of a game, and the result it has there (CLOCK-24)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from games import rules
from games.clocks import DAY, AtEnd
from games.models import Game, Seat, Status
from games.play import timing

SOON = 14 * DAY
"""Time before its hard end from which on a game shows how it would be decided if it ended now."""

ACT = "hard_end"


class HardEndResult(NamedTuple):
    """Result of a game at its hard end: *by* what it is decided, the ranks, and the values behind them."""

    by: AtEnd
    ranks: tuple[int, ...]
    charged: tuple[timedelta, ...]
    scores: tuple[int, ...] = ()  # only where the board was scored


def has_come(game: Game, now: datetime) -> bool:
    """Return whether *game*, which is being played, has reached its hard end and no moderator holds it."""
    ends = game.clock.ends
    if ends is None or now <= ends or game.status != Status.PLAYING:
        return False
    return timing.find_hold(game, now) is None


def decide(game: Game, seats: Sequence[Seat], load: Callable[[], rules.Game], at: datetime) -> HardEndResult:
    """Return the result *game* would have if its hard end came *at* that instant. Where organisers are to
    decide, the result is by time until they do. *load* loads the position and is called only if needed."""
    charged = tuple(compute_charged(game, seat, at) for seat in seats)
    if game.clock.at_end == AtEnd.SCORE and is_half_drawn(position := load()):
        scores = score_as_it_stands(position)
        return HardEndResult(AtEnd.SCORE, rank_scores(seats, scores), charged, scores)
    # A seat played by a program has no time of its own: such seats share the last place.
    standing = [
        (True, timedelta()) if seat.left or not seat.played_by_person else (False, charged[seat.index])
        for seat in seats
    ]
    return HardEndResult(AtEnd.TIME, rank(standing), charged)


def compute_charged(game: Game, seat: Seat, at: datetime) -> timedelta:
    """Return the time *seat* was charged so far, counting the turn under way as played *at* that instant
    (CLOCK-15)."""
    if game.awaited != seat.index or game.calendar is None or game.turn_began is None:
        return seat.spent
    turn = timing.build_turn(game, seat)
    return seat.spent + min(turn.compute_unbounded_charge(at), turn.allowed)


def is_half_drawn(position: rules.Game) -> bool:
    """Return whether at least half of the bag has been drawn."""
    return 2 * position.state.left <= sum(sum(group.values()) for group in position.rules.bag)


def score_as_it_stands(position: rules.Game) -> tuple[int, ...]:
    """Return the scores by seat, the board scored as at the end; open decisions take the default answer."""
    return tuple(finish_as_it_stands(position).state.scores)


def finish_as_it_stands(position: rules.Game) -> rules.Game:
    """Return *position* after the final scoring of its board, with the actions that lead there."""
    game = finish_turn(position)
    if game.decision.kind != "final":
        game = finish_turn(game.cut_short())
    return game.play(rules.Final())


def finish_turn(position: rules.Game) -> rules.Game:
    """Return *position* played by default answers up to the next turn, or to the final scoring."""
    game = position
    while game.decision.kind != "final" and (
        game.decision.kind not in ("draw", "place") or game.state.cell is not None
    ):
        game = game.play(game.legal_actions().default_answer() or rules.Pass())
    return game


def rank_scores(seats: Sequence[Seat], scores: Sequence[int]) -> tuple[int, ...]:
    """Return the ranks of *seats* by their *scores*; whoever left stands last."""
    return rank([(seat.left, -scores[seat.index]) for seat in seats])


def rank(values: Sequence[tuple[bool, object]]) -> tuple[int, ...]:
    """Return the ranks of *values*, the least first; equal ones share.

    >>> rank([(False, 3), (False, 1), (True, 0), (False, 3)])
    (2, 1, 4, 2)
    """
    return tuple(1 + sum(other < value for other in values) for value in values)
