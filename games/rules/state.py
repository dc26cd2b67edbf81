"""State and events, and the one place where a state changes.

``apply(state, event)`` never refuses and decides nothing: a stored game is rebuilt by it alone. Events say
what came of an action, name features by a spot, and are stored with their move as JSON under the schema
number ``SCHEMA``. A module that keeps something of its own has a slice of the state and applies its own
events to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from .board import Board, Feature, Meeple, Spot
from .geometry import cell_at, position
from .tiles import tile as tile_called

if TYPE_CHECKING:
    from .ruleset import RuleSet

SCHEMA = 1
"""Number of the form in which events are stored. A change of their meaning makes a new number."""


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a score: *count* of something, and the *points* that they bring."""

    name: str
    count: int
    points: int


class Drawn(NamedTuple):
    """The tile of *seat*'s turn."""

    seat: int
    tile: str


class Discarded(NamedTuple):
    """The drawn tile fits nowhere and has left the game; *seat* draws again (BASE-15)."""

    seat: int
    tile: str


class Placed(NamedTuple):
    seat: int
    tile: str
    x: int
    y: int
    rotation: int


class Deployed(NamedTuple):
    seat: int
    meeple: str
    x: int
    y: int
    on: str
    side: str | None


class Completed(NamedTuple):
    """*seat* completed the feature at the spot, which lies on so many *tiles*."""

    seat: int
    on: str
    x: int
    y: int
    side: str | None
    tiles: int


class Scored(NamedTuple):
    """*seat* has the majority on the feature at the spot, which brought *points*, perhaps none."""

    seat: int
    on: str
    points: int
    terms: tuple[Term, ...]
    x: int
    y: int
    side: str | None
    complete: bool


class Returned(NamedTuple):
    seat: int
    meeple: str
    x: int
    y: int
    on: str
    side: str | None


class Asked(NamedTuple):
    """The step called *step* waits for *seats*, in this order."""

    step: str
    seats: tuple[int, ...]


class Answered(NamedTuple):
    """The seat that was asked first has decided."""

    seat: int


class TurnPassed(NamedTuple):
    """The turn of *seat* begins."""

    seat: int


class LastTurnPlayed(NamedTuple):
    """No tile is left to draw: only the end remains (BASE-36, BASE-37)."""


class Finished(NamedTuple):
    """The final scoring is done."""

    scores: tuple[int, ...]


Event = (
    Drawn
    | Discarded
    | Placed
    | Deployed
    | Completed
    | Scored
    | Returned
    | Asked
    | Answered
    | TurnPassed
    | LastTurnPlayed
    | Finished
    | Any  # events that modules add
)


class Decision(NamedTuple):
    """What the game waits for: ``draw`` and ``final`` by nobody, ``place`` or the name of a step by a seat.
    ``over`` waits for nothing."""

    kind: str
    seat: int | None = None


class Laid(NamedTuple):
    """A tile as it lies."""

    tile: str
    x: int
    y: int
    rotation: int


class Standing(NamedTuple):
    """A meeple as it stands."""

    seat: int
    meeple: str
    x: int
    y: int
    on: str
    side: str | None


DRAW, FINAL, OVER = Decision("draw"), Decision("final"), Decision("over")


class State(NamedTuple):
    """A game between two actions. A frozen value: nothing of it is ever changed in place."""

    rules: RuleSet
    board: Board
    remaining: Mapping[str, int]  # undrawn copies by tile id; the order is nowhere in here
    left: int  # how many tiles are undrawn
    scores: tuple[int, ...]
    supply: tuple[Mapping[str, int], ...]  # figures in hand, by seat
    decision: Decision
    turn_seat: int = 0
    drawn: str | None = None
    discarded: tuple[str, ...] = ()
    cell: int | None = None  # where the tile of this turn lies
    completed: tuple[int, ...] = ()  # a code of each feature completed in this turn
    paid: tuple[int, ...] = ()  # seats that features paid in this turn
    asked: tuple[int, ...] = ()  # seats still to be asked by the step that waits
    ended: bool = False  # the last turn is played
    slices: Mapping[str, Any] = {}  # what modules keep, by their name

    @property
    def over(self) -> bool:
        return self.decision == OVER

    @property
    def placed(self) -> Iterator[Laid]:
        """Every tile that lies, in order of placing, the start tile first."""
        for cell, turned in self.board.tiles.items():
            yield Laid(turned.id, *position(cell), turned.rotation)

    def meeples(self) -> Iterator[Standing]:
        """Every meeple on the board."""
        for meeple in self.board.meeples():
            spot = self.board.spot(meeple.code)
            yield Standing(meeple.seat, meeple.figure, *spot)

    def feature_at(self, x: int, y: int, on: str, side: str | None = None) -> Feature:
        """The feature at a spot; ``KeyError`` where there is none."""
        return self.board.feature_at(x, y, on, side)

    def seats_after(self, seat: int) -> tuple[int, ...]:
        """All seats clockwise, beginning left of *seat* and ending with it."""
        count = len(self.scores)
        return tuple((seat + step) % count for step in range(1, count + 1))


def apply(state: State, event: Event) -> State:
    """*state* after *event*. Never refuses; an event that no part of the game knows is a ``KeyError``."""
    kind = type(event)
    change = _CHANGES.get(kind)
    if change is None:
        change = state.rules.changes[kind]
    return change(state, event)


def _drawn(state: State, event: Drawn) -> State:
    remaining = dict(state.remaining)
    remaining[event.tile] -= 1
    if not remaining[event.tile]:
        del remaining[event.tile]
    return state._replace(
        remaining=remaining,
        left=state.left - 1,
        drawn=event.tile,
        decision=Decision("place", state.turn_seat),
    )


def _discarded(state: State, event: Discarded) -> State:
    return state._replace(drawn=None, discarded=(*state.discarded, event.tile), decision=DRAW)


def _placed(state: State, event: Placed) -> State:
    cell = cell_at(event.x, event.y)
    return state._replace(
        board=state.board.lay(cell, tile_called(event.tile).at(event.rotation)),
        drawn=None,
        cell=cell,
    )


def _moved(supply: tuple[Mapping[str, int], ...], seat: int, figure: str, by: int) -> tuple[Any, ...]:
    mine = dict(supply[seat])
    mine[figure] += by
    return (*supply[:seat], mine, *supply[seat + 1 :])


def _deployed(state: State, event: Deployed) -> State:
    code = state.board.code(Spot(event.x, event.y, event.on, event.side))
    return state._replace(
        board=state.board.with_meeple(Meeple(event.seat, event.meeple, code)),
        supply=_moved(state.supply, event.seat, event.meeple, -1),
    )


def _returned(state: State, event: Returned) -> State:
    code = state.board.code(Spot(event.x, event.y, event.on, event.side))
    return state._replace(
        board=state.board.without_meeple(Meeple(event.seat, event.meeple, code)),
        supply=_moved(state.supply, event.seat, event.meeple, 1),
    )


def _completed(state: State, event: Completed) -> State:
    code = state.board.code(Spot(event.x, event.y, event.on, event.side))
    return state._replace(completed=(*state.completed, code))


def _scored(state: State, event: Scored) -> State:
    seat, scores = event.seat, state.scores
    return state._replace(
        scores=(*scores[:seat], scores[seat] + event.points, *scores[seat + 1 :]),
        paid=(*state.paid, seat) if event.points and event.complete else state.paid,
    )


def _asked(state: State, event: Asked) -> State:
    return state._replace(asked=event.seats, decision=Decision(event.step, event.seats[0]))


def _answered(state: State, event: Answered) -> State:
    rest = state.asked[1:]
    if rest:
        return state._replace(asked=rest, decision=Decision(state.decision.kind, rest[0]))
    return state._replace(asked=(), decision=FINAL if state.ended else state.decision)


def _turn_passed(state: State, event: TurnPassed) -> State:
    return state._replace(turn_seat=event.seat, decision=DRAW, cell=None, completed=(), paid=(), asked=())


def _last_turn_played(state: State, event: LastTurnPlayed) -> State:
    return state._replace(ended=True, decision=FINAL)


def _finished(state: State, event: Finished) -> State:
    return state._replace(decision=OVER)


_CHANGES: dict[type, Callable[[State, Any], State]] = {
    Drawn: _drawn,
    Discarded: _discarded,
    Placed: _placed,
    Deployed: _deployed,
    Completed: _completed,
    Scored: _scored,
    Returned: _returned,
    Asked: _asked,
    Answered: _answered,
    TurnPassed: _turn_passed,
    LastTurnPlayed: _last_turn_played,
    Finished: _finished,
}


def _name(kind: type) -> str:
    """``LastTurnPlayed`` as ``last_turn_played``."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__)[1:]


_BY_NAME: dict[str, type] = {_name(kind): kind for kind in _CHANGES}


def register_event(kind: type) -> None:
    """Let a module's event be stored and read back."""
    _BY_NAME[_name(kind)] = kind


def event_to_json(event: Event) -> dict[str, Any]:
    """*event* as an object for JSON: its ``type`` and its fields; a field that is ``None`` is left out."""
    fields = {name: value for name, value in event._asdict().items() if value is not None}
    if "terms" in fields:
        fields["terms"] = [asdict(term) for term in fields["terms"]]
    return {"type": _name(type(event)), **fields}


def event_from_json(stored: Mapping[str, Any]) -> Event:
    """What :func:`event_to_json` wrote. ``KeyError`` for a type that nothing knows."""
    kind = _BY_NAME[stored["type"]]
    fields: dict[str, Any] = {}
    for name in kind._fields:  # type: ignore[attr-defined]
        value: Any = stored.get(name)
        if name == "terms":
            value = tuple(Term(**term) for term in value)
        elif isinstance(value, list):
            value = tuple(value)
        fields[name] = value
    return kind(**fields)
