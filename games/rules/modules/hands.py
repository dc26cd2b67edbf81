"""Tiles known before the turn in which they are placed: one to each seat, or three to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import InvalidRuleSet
from ..events import Dealing, Dealt, HandReady, TurnPassed
from ..module import Chosen, HouseRule, Option
from ..placements import is_placeable
from ..state import State, apply_event
from ..tiles import get_tile
from ..turn import Course, Drawing

if TYPE_CHECKING:
    from ..ruleset import RuleSet


class DrawnAhead(Drawing):
    """Drawing in which each seat holds so many tiles, and draws when its turn is over (HR-2, HR-3).

    While tiles that come before the main bag are left, tiles are drawn as usual; then the hands are dealt.
    """

    def __init__(self, held: int) -> None:
        self.held = held

    def begin(self, state: State) -> State:
        return (
            apply_event(state, self._first_deal(state))
            if state.board.tiles and self._in_main_bag(state)
            else state
        )

    def lasts(self, state: State) -> bool:
        return state.left > 0 or any(state.hands)

    def draw(self, course: Course, tile: str) -> None:
        if not course.state.dealing:
            super().draw(course, tile)
            if course.state.decision.kind == "draw" and not course.state.hands:
                self._deal_if_due(course)
            return
        course.happen(Dealt(course.state.dealing[0], tile))
        if not course.state.dealing:
            self._ready(course)

    def turn(self, course: Course) -> None:
        state = course.state
        if not state.hands:
            self._deal_if_due(course)
            return
        if state.further is None and state.placer is not None:
            missing = min(self.held - len(state.hands[state.placer]), state.left)
            if missing > 0:
                course.happen(Dealing((state.placer,) * missing))
                return
        self._ready(course)

    def _in_main_bag(self, state: State) -> bool:
        """Return whether only the main bag is left, and tiles too late for their own group (HR-6)."""
        left = state.remaining.keys() - state.strays
        return all(left.isdisjoint(group) for group in state.rules.bag[:-1])

    def _first_deal(self, state: State) -> Dealing:
        seats = [seat for seat in range(len(state.scores)) for _ in range(self.held)]
        return Dealing(tuple(seats[: state.left]))

    def _deal_if_due(self, course: Course) -> None:
        state = course.state
        if state.left and self._in_main_bag(state):
            course.happen(self._first_deal(state))

    def _ready(self, course: Course) -> None:
        """Give the seat on turn its tile or hand; replace tiles that fit nowhere."""
        while True:
            state = course.state
            seat = state.turn_seat
            held = [tile for tile in state.hands[seat] if tile is not None]
            unseen = len(held) < len(state.hands[seat])  # hidden from the viewer of this state; it may fit
            if unseen or any(is_placeable(state, get_tile(tile)) for tile in dict.fromkeys(held)):
                course.happen(HandReady(seat, held[0] if self.held == 1 else None))
                return
            for tile in held:
                self.reject(course, seat, tile)
            if course.state.left:
                course.happen(Dealing((seat,) * min(self.held, course.state.left)))
                return
            if not any(course.state.hands):
                self.end(course)
                return
            course.happen(TurnPassed((seat + 1) % len(state.scores)))


class Hands(HouseRule):
    """One tile held, in the open (HR-2); or three, open or hidden (HR-3)."""

    name = "hands"
    options = (
        Option("next_tile", ("at_turn_start", "at_turn_end"), "HR-2"),
        Option("hand", ("none", "three_open", "three_hidden"), "HR-3"),
    )

    def plays(self, options: Mapping[str, Any]) -> bool:
        return bool(options["hand"] != "none" or options["next_tile"] == "at_turn_end")

    def refuses(self, chosen: Chosen) -> InvalidRuleSet | None:
        options = chosen.options
        if options["hand"] == "none":
            return None
        if options["next_tile"] == "at_turn_end":
            return InvalidRuleSet("hand_implies_next_tile", "HR-3")
        if options["unplaceable"] == "back_in_bag":
            return InvalidRuleSet("hand_without_back_in_bag", "HR-3")
        return None

    def drawing(self, rules: RuleSet) -> Drawing | None:
        return DrawnAhead(1 if rules.options["hand"] == "none" else 3)
