"""Traders & Builders: goods for completing cities, a builder that brings a second turn, a pig."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ..board import Feature
from ..events import Event, Placed, register_event
from ..module import Holding, Module
from ..scoring import build_bonus, find_majority
from ..state import State, replace_slice
from ..tiles import CITY, FIELD, MAX_SEGMENTS, ROAD
from ..turn import Slot, Step

if TYPE_CHECKING:
    from ..ruleset import RuleSet

NAME = "traders-and-builders"
BUILDER, PIG = "builder", "pig"
GOODS = ("wine", "grain", "cloth")


@register_event
class GoodsTaken(NamedTuple):
    """*seat* takes so many tokens of one kind of goods for completing a city (TB-2)."""

    seat: int
    goods: str
    tokens: int


class Trade(NamedTuple):
    """The goods of each seat, and whether the tile just placed extends the feature of its builder."""

    goods: tuple[tuple[int, ...], ...]  # by seat, in the order of GOODS
    extended: bool = False


def _take_goods(state: State, event: GoodsTaken) -> State:
    trade: Trade = state.slices[NAME]
    mine = tuple(
        have + event.tokens if name == event.goods else have
        for name, have in zip(GOODS, trade.goods[event.seat], strict=True)
    )
    goods = (*trade.goods[: event.seat], mine, *trade.goods[event.seat + 1 :])
    return replace_slice(state, NAME, trade._replace(goods=goods))


def _note_builder(state: State, event: Placed) -> State:
    """Record an extension before any figure is put down or comes home (TB-6)."""
    trade: Trade = state.slices[NAME]
    cell, extended = state.cell, False
    if cell is not None and state.supply[event.seat].get(BUILDER, 0) < state.rules.figures[BUILDER]:
        extended = any(
            meeple.seat == event.seat and meeple.figure == BUILDER
            for lie in state.board.tiles[cell].lies
            for meeple in state.board.features[cell * MAX_SEGMENTS + lie.index].meeples
        )
    return (
        state if extended == trade.extended else replace_slice(state, NAME, trade._replace(extended=extended))
    )


class TakeGoods(Step):
    """The seat that completes a city takes its goods, whoever scores it (TB-2)."""

    slot = Slot.GAIN

    def run(self, state: State) -> Iterable[Event]:
        if not state.completed:
            return
        goods: Counter[str] = Counter()
        for code in state.completed:
            feature = state.board.features[code]
            if feature.kind == CITY:
                goods.update(
                    mark for segment in feature.segments for mark in state.board.segment(segment).marks
                )
        for name in GOODS:
            if goods[name]:
                yield GoodsTaken(state.turn_seat, name, goods[name])


class TradersAndBuilders(Module):
    """Builder and pig count for no majority and stand only where a follower of their owner does (TB-4, TB-5,
    TB-10); pig herds on other sets' tiles count with this set (TB-14)."""

    name = NAME
    figures = {BUILDER: 1, PIG: 1}
    strengths = {BUILDER: 0, PIG: 0}
    joins = {BUILDER: frozenset({ROAD, CITY}), PIG: frozenset({FIELD})}
    changes = {GoodsTaken: _take_goods}
    tracks = {Placed: _note_builder}
    scorings = {"goods": None}

    def initial(self, rules: RuleSet) -> Trade:
        return Trade(((0,) * len(GOODS),) * rules.seats)

    def steps(self) -> Iterable[Step]:
        return (TakeGoods(),)

    def further(self, state: State) -> str | None:
        """The builder's second turn, which earns no third (TB-6, TB-7)."""
        trade: Trade = state.slices[NAME]
        return BUILDER if trade.extended and state.further != BUILDER else None

    def farm_terms(self, state: State, land: Feature, seat: int) -> Iterable[str]:
        """Yield the seat's own pig (TB-11), and a herd for everybody (TB-14)."""
        if any(meeple.seat == seat and meeple.figure == PIG for meeple in land.meeples):
            yield "pig"
        if any("pig_herd" in state.board.segment(code).marks for code in land.segments):
            yield "pig_herd"

    def holdings(self, state: State, seat: int) -> Iterable[Holding]:
        for name, number in zip(GOODS, state.slices[NAME].goods[seat], strict=True):
            if number:
                yield Holding(name, number)

    def finish(self, state: State) -> Iterable[Event]:
        """Yield 10 points to the seat with most of each kind, in a tie to each (TB-3)."""
        goods = state.slices[NAME].goods
        for index, name in enumerate(GOODS):
            held = {seat: mine[index] for seat, mine in enumerate(goods)}
            for seat in find_majority(held):
                yield build_bonus(state, seat, "goods", held[seat], 10, name)
