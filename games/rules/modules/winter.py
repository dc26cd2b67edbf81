"""The winter edition: twelve additional land tiles, and the Gingerbread Man who walks from city to city."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..actions import Action, Form, register_action
from ..board import Feature, Spot
from ..checks import check_keys, read_at
from ..errors import InvalidRuleSet
from ..events import Event, Placed, Scored, Started, Term, register_event
from ..geometry import get_cell, sort_in_reading_order
from ..module import Chosen, Module, Option, Token
from ..scoring import count_strength
from ..state import State, replace_slice
from ..tiles import CITY, MAX_SEGMENTS
from ..turn import Slot, Step

NAME = "winter"
ON = "gingerbread"
STAND_INS = frozenset(
    f"winter.{name}"
    for name in (
        "cap-road-west",
        "cap-road-east",
        "corner-inn-road",
        "corner-road-east",
        "cap-road-south",
        "cap-curve-east",
    )
)
"""City tiles with the gingerbread man's symbol, in place of the box's own, whose pictures are not known."""


class Walk(NamedTuple):
    """The Gingerbread Man is moved to the city at the spot."""

    x: int
    y: int
    side: str


@register_event
class GingerbreadMoved(NamedTuple):
    """*seat* has moved the Gingerbread Man to the city at the spot (WINTER-6)."""

    seat: int
    x: int
    y: int
    side: str


@register_event
class GingerbreadLeft(NamedTuple):
    """No incomplete city is left: he leaves the board (WINTER-10)."""


class Man(NamedTuple):
    """The place where the Gingerbread Man stands: the code of a segment of his city."""

    city: int | None = None
    arrived: bool = False  # whether he has ever been on the board


def _load_walk(stored: Any) -> Walk:
    check_keys(stored, {"at", "side"}, set())
    if not isinstance(stored["side"], str):
        raise ValueError(stored)
    return Walk(*read_at(stored["at"]), stored["side"])


register_action(
    Form(
        "gingerbread",
        Walk,
        re.compile(r"gingerbread\s+([+-]?\d{1,4})\s*,\s*([+-]?\d{1,4})\s+([nesw])"),
        lambda match: Walk(int(match[1]), int(match[2]), match[3].upper()),
        lambda walk: f"gingerbread {walk.x},{walk.y} {walk.side}",
        rule="WINTER-6",
        key=ON,
        inline=True,
        store=lambda walk: {"at": [walk.x, walk.y], "side": walk.side},
        load=_load_walk,
    )
)


def _move_man(state: State, event: GingerbreadMoved) -> State:
    code = state.board.code(Spot(event.x, event.y, CITY, event.side))
    return replace_slice(state, NAME, Man(code, True))


def _remove_man(state: State, event: GingerbreadLeft) -> State:
    return replace_slice(state, NAME, Man(None, True))


def _arrives(state: State, cell: int) -> Man:
    """The man in the first city of the tile on *cell*; the first tile that has one brings him (WINTER-5)."""
    for lie in state.board.tiles[cell].lies:
        if lie.kind == CITY:
            return Man(cell * MAX_SEGMENTS + lie.index, True)
    return Man()


def _bring_man(state: State, event: Placed | Started) -> State:
    man: Man = state.slices[NAME]
    if man.arrived:
        return state
    return replace_slice(state, NAME, _arrives(state, next(reversed(state.board.tiles))))


def find_gingerbread_city(state: State) -> Feature | None:
    """The city in which he stands."""
    man: Man = state.slices[NAME]
    return None if man.city is None else state.board.features[man.city]


def leaving(state: State, city: Feature) -> Iterator[Scored]:
    """Yield the scorings of the *city* that he leaves: one point for each tile to each knight (WINTER-7)."""
    spot = state.board.spot_of(city)
    for seat, knights in sorted(count_strength(city.meeples, state.rules.strengths).items()):
        if knights:
            points = knights * city.tiles
            terms = (Term("knights", knights, points),)
            yield Scored(seat, ON, points, terms, spot.x, spot.y, spot.side, True)


class LeaveCompleted(Step):
    """Payment of all knights in his city when it is completed, before it scores (WINTER-9, WINTER-12)."""

    slot = Slot.FIRST_SCORING

    def run(self, state: State) -> Iterable[Event]:
        city = find_gingerbread_city(state)
        if city is not None and city.complete:
            yield from leaving(state, city)


class GingerbreadWalk(Step):
    """Once his city is complete, or with a tile that bears his symbol, the seat on turn must move him.

    Rules: WINTER-6, WINTER-8 to WINTER-11, WINTER-14.
    """

    name = ON
    form = ON
    slot = Slot.BEFORE_END
    rule = "WINTER-6"

    def asks(self, state: State) -> tuple[int, ...]:
        assert state.cell is not None
        city = find_gingerbread_city(state)
        symbol = state.board.tiles[state.cell].id in STAND_INS
        moves = symbol or (city is not None and city.complete)
        return (state.turn_seat,) if moves and self._cities(state) else ()

    def _cities(self, state: State) -> tuple[Feature, ...]:
        """The features to which he may be moved: incomplete cities in which he does not stand."""
        here = find_gingerbread_city(state)
        return state.board.list_unfinished_features(
            lambda feature: feature.kind == CITY and feature is not here
        )

    def choices(self, state: State, seat: int) -> Iterable[Walk]:
        return [_to(state, city) for city in self._cities(state)]

    def normalize_action(self, state: State, action: Action) -> Action:
        if not isinstance(action, Walk):
            return action
        return _to(state, state.board.feature_at(action.x, action.y, CITY, action.side))

    def default_answer(self, state: State, seat: int) -> Walk:
        """The largest city; among equals the one with the lowest (y, x)."""

        def rank(city: Feature) -> tuple[int, tuple[int, int]]:
            return -city.tiles, min(sort_in_reading_order(cell) for cell in city.cells)

        return _to(state, min(self._cities(state), key=rank))

    def decide(self, state: State, seat: int, action: Action) -> Iterable[Event]:
        assert isinstance(action, Walk)
        city = find_gingerbread_city(state)
        if city is not None and not city.complete:
            yield from leaving(state, city)
        yield GingerbreadMoved(seat, *action)

    def run(self, state: State) -> Iterable[Event]:
        city = find_gingerbread_city(state)
        if city is not None and city.complete:
            yield GingerbreadLeft()


def _to(state: State, city: Feature) -> Walk:
    spot = state.board.spot_of(city)
    assert spot.side is not None
    return Walk(spot.x, spot.y, spot.side)


class Winter(Module):
    """The tiles follow the rules of the base game (WINTER-1); the Gingerbread Man is optional."""

    name = NAME
    options = (
        Option(ON, (False, True), "WINTER-5"),
        Option("gingerbread_tiles", ("stand_in",), "WINTER-5"),
    )
    changes = {GingerbreadMoved: _move_man, GingerbreadLeft: _remove_man}
    tracks = {Placed: _bring_man, Started: _bring_man}
    scorings = {ON: CITY}

    def plays(self, options: Mapping[str, Any]) -> bool:
        return bool(options[ON])

    def refuses(self, chosen: Chosen) -> InvalidRuleSet | None:
        if chosen.options.get(ON) and self.name not in chosen.sets:
            return InvalidRuleSet("needs_set", "WINTER-5", option=ON, set=self.name)
        return None

    def begins(self, state: State) -> Man:
        """Return him in the city of the start tile; with a spring or a block he comes later (WINTER-5)."""
        middle = get_cell(0, 0)
        first = state.board.tiles.get(middle)
        return Man() if first is None or first.tile.block is not None else _arrives(state, middle)

    def steps(self) -> Iterable[Step]:
        return (LeaveCompleted(), GingerbreadWalk())

    def tokens(self, state: State) -> Iterable[Token]:
        man: Man = state.slices[NAME]
        if man.city is not None:
            yield Token(ON, man.city)
