"""Banks and states of the seats, computed from the record move by move (CLOCK-15, 16, 19).

The rows hold the last values. The audit compares them with these, and a roll-back restores earlier ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, NamedTuple

from games import clocks
from games.clocks import Charge, compute_allowed_charge
from games.models import Game, Move, Seat, SeatState
from games.play import timing

UNDO, MODERATE = "undo", "moderate"
_STATES = {
    "resign": SeatState.RESIGNED,
    "time_out": SeatState.TIMED_OUT,
    "offered": SeatState.OFFERED,
    "take_over": SeatState.PLAYING,
    "come_back": SeatState.PLAYING,
    "replace": SeatState.PLAYING,
    "caretaker": SeatState.REPLACED,
    "give_back": SeatState.PLAYING,
}
"""State of the seat after each act of the table, or of a moderator, that is about it."""


@dataclass(frozen=True, slots=True)
class SeatThen:
    """Bank, time spent, excuses and state of a seat after some move."""

    bank: timedelta
    spent: timedelta = timedelta()
    excuses: int = 0
    state: str = SeatState.PLAYING


class MoveCharge(NamedTuple):
    """The bank before a move, and the time the move cost."""

    bank: timedelta
    cost: Charge


class Timeline:
    """The seats after each of the moves followed so far. Moves must be followed once each, in order."""

    def __init__(self, game: Game, seats: Sequence[Seat]) -> None:
        self._clock = game.clock
        self.seats = [SeatThen(timedelta() if seat.bot else self._clock.start) for seat in seats]
        self._timings: dict[int, tuple[int | None, dict[str, Any] | None]] = {}
        self._after: dict[int, tuple[SeatThen, ...]] = {0: tuple(self.seats)}

    @classmethod
    def of(cls, game: Game, seats: Sequence[Seat], moves: Iterable[Move]) -> Timeline:
        """Return the timeline of *game* over all its *moves*, including the withdrawn ones."""
        line = cls(game, seats)
        for move in moves:
            line.follow(move)
        return line

    def at(self, version: int) -> tuple[SeatThen, ...]:
        """Return the seats after the move with this *version*."""
        return self._after[version]

    def follow(self, move: Move) -> MoveCharge | None:
        """Apply *move*. Return what was charged for it, if anything was."""
        counted = None
        self._timings[move.version] = move.seat, move.timing
        self._act(move.action, move.seat)
        if move.timing is not None and move.seat is not None:
            seat = self.seats[move.seat]
            cost = timing.recompute_charge(move.timing, self._clock, seat.spent)
            counted = MoveCharge(seat.bank, cost)
            self._set(move.seat, bank=cost.after, spent=seat.spent + cost.charged)
        self._after[move.version] = tuple(self.seats)
        return counted

    def _act(self, recorded: Mapping[str, Any], index: int | None) -> None:
        act = recorded["act"] if recorded["type"] == MODERATE else recorded["type"]
        match act:
            case "undo":
                for version in reversed(recorded["moves"]):
                    self._uncharge(*self._timings[version])
            case "roll_back":
                then = self._after[recorded["to"]]
                self.seats = [
                    SeatThen(seat.bank, seat.spent, seat.excuses, state)
                    for seat, state in zip(then, recorded["states"], strict=True)
                ]
            case "give" | "extend" if "to" in recorded:
                self._give(recorded)
            case "excuse":
                assert index is not None
                self._begin_again(index, clocks.compute_refill(self._clock))
                self._set(index, excuses=self.seats[index].excuses + 1)
            case "take_over" | "come_back" | "replace" | "give_back":
                assert index is not None
                self._sit_down(index, new=act in ("take_over", "replace"))
        if act in _STATES and index is not None:
            self._set(index, state=_STATES[act])

    def _give(self, act: Mapping[str, Any]) -> None:
        span = act["days"] * clocks.DAY
        for index in act["to"]:
            if index in act.get("anew", ()):
                self._begin_again(index, span)
            else:
                self._set(index, bank=self.seats[index].bank + span)

    def _begin_again(self, index: int, bank: timedelta) -> None:
        seat = self.seats[index]
        self._set(
            index, bank=bank, spent=seat.spent + compute_allowed_charge(self._clock, seat.bank, seat.spent)
        )

    def _sit_down(self, index: int, *, new: bool) -> None:
        seat, filled = self.seats[index], clocks.compute_refill(self._clock)
        self._set(index, bank=max(seat.bank, filled))
        if new and self._clock.total is not None:
            self._set(index, spent=min(seat.spent, self._clock.total - filled))

    def _uncharge(self, index: int | None, charge: Mapping[str, Any] | None) -> None:
        """Give a seat back the cost, stored in *charge*, of a move that was taken back."""
        if index is None or charge is None:
            return
        seat = self.seats[index]
        self._set(
            index,
            bank=seat.bank + timedelta(seconds=charge["bank"]) - timedelta(seconds=charge["after"]),
            spent=seat.spent - timedelta(seconds=charge["charged"]),
        )

    def _set(self, index: int, **values: Any) -> None:
        self.seats[index] = replace(self.seats[index], **values)
