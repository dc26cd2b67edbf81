"""The Count of Carcassonne: a city in the middle of the board, whose residents can move to features."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..actions import Action, Form, Pass, register_action
from ..board import Feature, Meeple, Spot
from ..checks import check_keys, read_at
from ..errors import InvalidRuleSet
from ..events import Event, Scored, TurnPassed, register_event
from ..module import Chosen, Module, Option, Quarter
from ..scoring import score_at_end
from ..state import State, replace_slice, replace_supply
from ..tiles import CITY, FIELD, FOLLOWER, MONASTERY, ROAD, SHRINE, Tile, load_tile_set
from ..turn import Slot, Step
from .house_rules import start_is_taken

if TYPE_CHECKING:
    from ..ruleset import RuleSet

NAME = "count"
CASTLE, MARKET, BLACKSMITH, CATHEDRAL = QUARTERS = ("castle", "market", "blacksmith", "cathedral")
"""Quarters, clockwise; the Count begins in the first."""
SERVES = {
    CASTLE: frozenset({CITY}),
    MARKET: frozenset({FIELD}),
    BLACKSMITH: frozenset({ROAD}),
    CATHEDRAL: frozenset({MONASTERY, SHRINE}),
}
LARGE, ABBOT = "large", "abbot"
ENTERING = (FOLLOWER, LARGE, ABBOT)
WEST, NORTH = -2, -1  # column and row at which the block begins


class Enter(NamedTuple):
    """Send a figure to a quarter, and the Count to another or nowhere (COUNT-7, COUNT-13)."""

    quarter: str
    meeple: str = FOLLOWER
    count_to: str | None = None


class Transfer(NamedTuple):
    """Move so many figures from a quarter to the feature at the spot (COUNT-16, COUNT-22)."""

    quarter: str
    meeple: str
    followers: int
    x: int
    y: int
    on: str
    side: str | None = None


@register_event
class Entered(NamedTuple):
    """A figure of *seat*, the *meeple*, goes from its hand to a quarter of Carcassonne (COUNT-7)."""

    seat: int
    meeple: str
    quarter: str


@register_event
class CountMoved(NamedTuple):
    """*seat* has moved the Count to *quarter*, which no figure may leave now (COUNT-13, COUNT-15)."""

    seat: int
    quarter: str


@register_event
class Transferred(NamedTuple):
    """A figure of *seat* goes from a quarter to the feature at the spot."""

    seat: int
    meeple: str
    quarter: str
    x: int
    y: int
    on: str
    side: str | None


class Carcassonne(NamedTuple):
    """The slice of the state: where the Count stands, and the figures in each quarter."""

    stands: str
    quarters: Mapping[str, tuple[tuple[int, str], ...]]
    entered: bool = False  # whether a figure has entered since the turn was passed

    def count_figures(self, seat: int, quarter: str) -> Counter[str]:
        """The figures of *seat* in *quarter*."""
        return Counter(figure for owner, figure in self.quarters[quarter] if owner == seat)


_QUARTER = "|".join(QUARTERS)
_FIGURE = r"(?:(large|abbot)\s+)?"


def _write_enter(action: Enter) -> str:
    line = f"enter {_format_figure(action.meeple)}{action.quarter}"
    return line if action.count_to is None else f"{line} count {action.count_to}"


def _write_transfer(action: Transfer) -> str:
    spot = f"{action.on} {action.x},{action.y}" + (f" {action.side}" if action.side else "")
    return f"move {action.followers} {_format_figure(action.meeple)}{action.quarter} {spot}"


def _stored_enter(action: Enter) -> dict[str, Any]:
    stored = {"quarter": action.quarter}
    if action.meeple != FOLLOWER:
        stored["meeple"] = action.meeple
    return stored if action.count_to is None else {**stored, "count_to": action.count_to}


def _loaded_enter(stored: Any) -> Enter:
    check_keys(stored, {"quarter"}, {"meeple", "count_to"})
    if not all(isinstance(word, str) for word in stored.values()):
        raise ValueError(stored)
    return Enter(stored["quarter"], stored.get("meeple", FOLLOWER), stored.get("count_to"))


def _stored_transfer(action: Transfer) -> dict[str, Any]:
    stored = {
        "quarter": action.quarter,
        "followers": action.followers,
        "at": [action.x, action.y],
        "on": action.on,
    }
    if action.meeple != FOLLOWER:
        stored["meeple"] = action.meeple
    return stored if action.side is None else {**stored, "side": action.side}


def _loaded_transfer(stored: Any) -> Transfer:
    check_keys(stored, {"quarter", "followers", "at", "on"}, {"meeple", "side"})
    words = (stored["quarter"], stored.get("meeple", FOLLOWER), stored["on"], stored.get("side", ""))
    if type(stored["followers"]) is not int or not all(isinstance(word, str) for word in words):
        raise ValueError(stored)
    quarter, meeple, on, _ = words
    return Transfer(quarter, meeple, stored["followers"], *read_at(stored["at"]), on, stored.get("side"))


def _format_figure(meeple: str) -> str:
    return "" if meeple == FOLLOWER else f"{meeple} "


register_action(
    Form(
        "enter",
        Enter,
        re.compile(rf"enter\s+{_FIGURE}({_QUARTER})(?:\s+count\s+({_QUARTER}))?"),
        lambda match: Enter(match[2], match[1] or FOLLOWER, match[3]),
        _write_enter,
        rule="COUNT-5",
        key="count",
        inline=True,
        store=_stored_enter,
        load=_loaded_enter,
    )
)
register_action(
    Form(
        "transfer",
        Transfer,
        re.compile(
            rf"move\s+(\d{{1,2}})\s+{_FIGURE}({_QUARTER})\s+(city|road|field|monastery|shrine)"
            r"\s+([+-]?\d{1,4})\s*,\s*([+-]?\d{1,4})(?:\s+([a-z]{1,3}))?"
        ),
        lambda match: Transfer(
            match[3],
            match[2] or FOLLOWER,
            int(match[1]),
            int(match[5]),
            int(match[6]),
            match[4],
            match[7].upper() if match[7] else None,
        ),
        _write_transfer,
        rule="COUNT-16",
        key="transfer",
        store=_stored_transfer,
        load=_loaded_transfer,
    )
)


def _enter_quarter(state: State, event: Entered) -> State:
    city: Carcassonne = state.slices[NAME]
    there = (*city.quarters[event.quarter], (event.seat, event.meeple))
    city = city._replace(quarters={**city.quarters, event.quarter: there}, entered=True)
    return replace_slice(replace_supply(state, event.seat, event.meeple, -1), NAME, city)


def _move_count(state: State, event: CountMoved) -> State:
    return replace_slice(state, NAME, state.slices[NAME]._replace(stands=event.quarter))


def _transfer_figure(state: State, event: Transferred) -> State:
    city: Carcassonne = state.slices[NAME]
    there = list(city.quarters[event.quarter])
    there.remove((event.seat, event.meeple))
    code = state.board.code(Spot(event.x, event.y, event.on, event.side))
    state = state._replace(board=state.board.with_meeple(Meeple(event.seat, event.meeple, code)))
    return replace_slice(state, NAME, city._replace(quarters={**city.quarters, event.quarter: tuple(there)}))


def _forget_entering(state: State, event: TurnPassed) -> State:
    city: Carcassonne = state.slices[NAME]
    return replace_slice(state, NAME, city._replace(entered=False)) if city.entered else state


class Way(NamedTuple):
    """A possible transfer: so many figures are *held* in the quarter, and may go to the feature."""

    quarter: str
    figure: str
    held: int
    feature: Feature


class Moving(Step, ABC):
    """The common part of both kinds of transfers: figures free to move, and features to move them to."""

    rule = "COUNT-16"
    standing = True  # COUNT-27

    @abstractmethod
    def features(self, state: State) -> Iterator[Feature]:
        """The features to which figures may be moved now."""

    def serving(self, state: State) -> Iterator[str]:
        """The quarters from which figures may move: all but the one where the Count stands (COUNT-15)."""
        return (quarter for quarter in QUARTERS if quarter != state.slices[NAME].stands)

    def movable(self, state: State, seat: int, features: Iterable[Feature]) -> Iterator[Way]:
        """Yield the transfers of *seat* to *features*."""
        city: Carcassonne = state.slices[NAME]
        held = {quarter: city.count_figures(seat, quarter) for quarter in self.serving(state)}
        if not any(held.values()):
            return
        for feature in features:
            for quarter, figures in held.items():
                if feature.kind in SERVES[quarter]:
                    for figure in ENTERING:
                        if figures[figure]:
                            yield Way(quarter, figure, figures[figure], feature)

    def asks(self, state: State) -> tuple[int, ...]:
        """The seats from the left of the last placer, which comes last (COUNT-17, COUNT-21, COUNT-22)."""
        features = tuple(self.features(state))
        if not features:
            return ()
        placer = state.turn_seat if state.placer is None else state.placer
        return tuple(seat for seat in state.seats_after(placer) if any(self.movable(state, seat, features)))

    def choices(self, state: State, seat: int) -> Iterator[Action]:
        yield Pass()
        for quarter, figure, held, feature in self.movable(state, seat, self.features(state)):
            spot = state.board.spot_of(feature)
            for count in range(1, 2 if self.one_by_one(state) else held + 1):
                yield Transfer(quarter, figure, count, *spot)

    def one_by_one(self, state: State) -> bool:
        return False

    def normalize_action(self, state: State, action: Action) -> Action:
        if not isinstance(action, Transfer):
            return action
        feature = state.board.feature_at(action.x, action.y, action.on, action.side)
        return Transfer(action.quarter, action.meeple, action.followers, *state.board.spot_of(feature))

    def decide(self, state: State, seat: int, action: Action) -> Iterable[Event]:
        if isinstance(action, Transfer):
            for _ in range(action.followers):
                yield Transferred(seat, action.meeple, action.quarter, *action[3:])

    def asked_next(self, state: State, seat: int, action: Action) -> tuple[int, ...]:
        """Return the same seat again as long as it moves figures and has more of them."""
        again = isinstance(action, Transfer) and any(self.movable(state, seat, self.features(state)))
        return state.asked if again else state.asked[1:]

    def gaining(self, state: State, seat: int) -> Transfer | Pass:
        """Return the transfer of *seat*'s figures that brings it most points if nobody else moves; ``Pass``
        if none does. It is called again until it passes."""
        ways: dict[int, list[Way]] = {}
        for way in self.movable(state, seat, self.features(state)):
            ways.setdefault(id(way.feature), []).append(way)
        best, most = None, 0
        for together in ways.values():
            gain = _gain(state, seat, together)
            if gain > most:  # some do it alone, others only one after the other
                best = next((way for way in together if _gain(state, seat, (way,)) == gain), together[0])
                most = gain
        if best is None:
            return Pass()
        count = 1 if self.one_by_one(state) else best.held
        return Transfer(best.quarter, best.figure, count, *state.board.spot_of(best.feature))


def _gain(state: State, seat: int, together: Sequence[Way]) -> int:
    """The points that *seat* gains, now or at the end, if all who may move *together* to a feature do."""
    board, feature = state.board, together[0].feature
    for way in together:
        for _ in range(way.held):
            board = board.with_meeple(Meeple(seat, way.figure, feature.segments[0]))
    return _points(state.but(board=board), seat, feature) - _points(state, seat, feature)


def _points(state: State, seat: int, feature: Feature) -> int:
    """The points that *seat* is about to get for *feature*, and for others affected by it."""
    board = state.board
    if state.ended:
        concerned = [board.features[feature.segments[0]]]
        if feature.kind == FIELD:  # cities may pay several fields together
            concerned = [*board.features_where(lambda feature: feature.kind in (FIELD, CITY))]
        events: Iterable[Event] = score_at_end(state, concerned)
    else:
        steps = (step for step in state.rules.turn if step.slot in (Slot.FIRST_SCORING, Slot.SCORE))
        events = (event for step in steps for event in step.run(state))
    return sum(event.points for event in events if isinstance(event, Scored) and event.seat == seat)


class TransferBeforeScoring(Moving):
    """Transfers of each seat to features that are about to be scored (COUNT-16 to COUNT-21)."""

    name = "transfer"
    form = "transfer"
    slot = Slot.BEFORE_SCORING

    def features(self, state: State) -> Iterator[Feature]:
        empty_too = state.rules.options["count_into_unoccupied"]
        for code in state.completed:
            feature = state.board.features[code]
            if empty_too or feature.meeples:
                yield feature


class TransferAtEnd(Moving):
    """Transfers before the final scoring, from the market to fields, and optionally from the other quarters.

    Rules: COUNT-22 to COUNT-24.
    """

    name = "transfer_at_end"
    form = "transfer"
    slot = Slot.BEFORE_SCORING
    rule = "COUNT-22"

    def serving(self, state: State) -> Iterator[str]:
        every = state.rules.options["count_final"] == "all_quarters"
        return (quarter for quarter in super().serving(state) if every or quarter == MARKET)

    def features(self, state: State) -> Iterator[Feature]:
        kinds = frozenset(kind for quarter in self.serving(state) for kind in SERVES[quarter])
        return iter(
            state.board.features_where(lambda feature: feature.kind in kinds and not feature.complete)
        )

    def one_by_one(self, state: State) -> bool:
        return bool(state.rules.options["count_final_order"] == "rounds")

    def asked_next(self, state: State, seat: int, action: Action) -> tuple[int, ...]:
        following = super().asked_next(state, seat, action)
        if self.one_by_one(state) and following == state.asked:
            return (*state.asked[1:], seat)
        return following


class EnterCity(Step):
    """The seat that brought points to others and none to itself may send a figure to the city, and move the
    Count.

    Rules: COUNT-5 to COUNT-15.
    """

    name = "enter"
    form = "enter"
    slot = Slot.AFTER_RETURN
    rule = "COUNT-5"

    def asks(self, state: State) -> tuple[int, ...]:
        seat, city = state.turn_seat, state.slices[NAME]
        if not state.paid or seat in state.paid:
            return ()
        if city.entered and state.rules.options["count_entry_per_turn"] == "once":
            return ()
        return (seat,) if any(self._entries(state, seat)) else ()

    def _entries(self, state: State, seat: int) -> Iterator[tuple[str, str]]:
        """Quarter and figure of each way in (COUNT-9, COUNT-11, COUNT-12)."""
        options = state.rules.options
        for quarter in list_open_quarters(state.rules):
            for figure in ENTERING:
                if figure == ABBOT and (options["count_abbot"] == "off" or quarter != CATHEDRAL):
                    continue
                if state.supply[seat].get(figure):
                    yield quarter, figure

    def choices(self, state: State, seat: int) -> Iterable[Action]:
        return [
            Pass(),
            *(
                Enter(quarter, figure, to)
                for quarter, figure in self._entries(state, seat)
                for to in list_count_destinations(state, quarter)
            ),
        ]

    def decide(self, state: State, seat: int, action: Action) -> Iterable[Event]:
        if isinstance(action, Enter):
            yield Entered(seat, action.meeple, action.quarter)
            if action.count_to is not None:
                yield CountMoved(seat, action.count_to)


def list_open_quarters(rules: RuleSet) -> tuple[str, ...]:
    """The quarters that may be entered: without fields, no market (COUNT-12)."""
    closed = MARKET if rules.options["fields"] == "none" else ""
    return tuple(quarter for quarter in QUARTERS if quarter != closed)


def list_count_destinations(state: State, entered: str) -> tuple[str | None, ...]:
    """Return where the Count may go after a figure *entered* a quarter; ``None`` to stay (COUNT-13,
    COUNT-14)."""
    count: str = state.slices[NAME].stands
    quarters = list_open_quarters(state.rules)
    how = state.rules.options["count_move"]
    if how == "clockwise":
        return (quarters[(quarters.index(count) + 1) % len(quarters)],)
    if how == "follow_meeple":
        return (None if entered == count else entered,)
    return (None, *(quarter for quarter in quarters if quarter != count))


class Count(Module):
    """The block in place of the start tile (COUNT-1 to COUNT-4); entry, transfers, and a city for fields."""

    name = NAME
    options = (
        # Where a turn has two halves (builder, volcano): one figure in each, or in both together.
        Option("count_entry_per_turn", ("each_half", "once"), "COUNT-8"),
        Option("count_abbot", ("off", "cathedral"), "COUNT-11"),  # whether an abbot may enter, and where
        Option("count_move", ("by_player", "clockwise", "follow_meeple"), "COUNT-14"),  # leader of the Count
        Option("count_into_unoccupied", (True, False), "COUNT-18"),  # to a feature on which nobody stands
        Option("count_final", ("market", "all_quarters"), "COUNT-23"),  # which quarters open at the end
        # Each seat then moves all that it likes in one go, or one figure a round.
        Option("count_final_order", ("once", "rounds"), "COUNT-24"),
    )
    cities = ("carcassonne",)  # COUNT-3
    changes = {Entered: _enter_quarter, CountMoved: _move_count, Transferred: _transfer_figure}
    tracks = {TurnPassed: _forget_entering}

    def refuses(self, chosen: Chosen) -> InvalidRuleSet | None:
        return start_is_taken(chosen, self.name)

    def initial(self, rules: RuleSet) -> Carcassonne:
        return Carcassonne(CASTLE, {quarter: () for quarter in QUARTERS})

    def start(
        self, rules: RuleSet, start: Sequence[tuple[Tile, int, int]]
    ) -> Sequence[tuple[Tile, int, int]]:
        return block()

    def away(self, state: State) -> Iterable[tuple[int, str]]:
        return (figure for held in state.slices[NAME].quarters.values() for figure in held)

    def quarters(self, state: State) -> Iterable[Quarter]:
        city: Carcassonne = state.slices[NAME]
        for quarter in QUARTERS:
            here = NAME if quarter == city.stands else ""
            yield Quarter(quarter, city.quarters[quarter], SERVES[quarter], here)

    def steps(self) -> Iterable[Step]:
        return (TransferBeforeScoring(), EnterCity())

    def ending(self) -> Iterable[Step]:
        return (TransferAtEnd(),)


def block() -> tuple[tuple[Tile, int, int], ...]:
    """The twelve tiles of the block, with the city of Carcassonne in the middle."""
    return tuple(
        (tile, WEST + tile.block[0], NORTH + tile.block[1])
        for tile in load_tile_set(NAME).tiles
        if tile.block is not None
    )
