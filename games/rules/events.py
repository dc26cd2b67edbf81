"""Events: the results of an action, stored with their move as JSON under the number ``SCHEMA``.

They state results, and name features by a spot and never by an internal id. Modules add events of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

SCHEMA = 1
"""Version of the format in which events are stored. A change of their meaning requires a new number."""


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a score: *count* of something, and the *points* that they bring."""

    name: str
    count: int
    points: int


class Event(Protocol):
    """An event, which results from an action: a named tuple of strings, numbers and tuples, or ``None``.

    Modules add events of their own, so this is what all have in common; ``isinstance`` tells them apart.
    """

    def __init__(self, **fields: Any) -> None: ...
    def _asdict(self) -> dict[str, Any]: ...


EVENTS: dict[str, type[Event]] = {}
"""Every event by the name under which it is stored: ``last_turn_played`` for ``LastTurnPlayed``."""

_Kind = TypeVar("_Kind", bound=Event)


def register_event(kind: type[_Kind]) -> type[_Kind]:
    """Decorate the class of an event so that it can be stored and read back."""
    EVENTS[_name(kind)] = kind
    return kind


def _name(kind: type[Event]) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__)[1:]


@register_event
class Drawn(NamedTuple):
    """The tile of *seat*'s turn."""

    seat: int
    tile: str


@register_event
class Discarded(NamedTuple):
    """The drawn tile fits nowhere and has left the game; *seat* draws again (BASE-15)."""

    seat: int
    tile: str


@register_event
class Placed(NamedTuple):
    """*seat* has laid its tile at *x*, *y*, turned clockwise by *rotation* degrees (BASE-13)."""

    seat: int
    tile: str
    x: int
    y: int
    rotation: int


@register_event
class Deployed(NamedTuple):
    """*seat* puts a figure, the *meeple*, on the feature of the kind *on* at the spot (BASE-17)."""

    seat: int
    meeple: str
    x: int
    y: int
    on: str
    side: str | None


@register_event
class Completed(NamedTuple):
    """*seat* completed the feature at the spot, which lies on so many *tiles*."""

    seat: int
    on: str
    x: int
    y: int
    side: str | None
    tiles: int


@register_event
class Scored(NamedTuple):
    """*seat* has the majority on the feature at the spot, which brought *points*, perhaps none.

    A scoring that belongs to no feature (goods, King …) has the position of the turn's tile, or of the first
    tile at the end.
    """

    seat: int
    on: str
    points: int
    terms: tuple[Term, ...]
    x: int
    y: int
    side: str | None
    complete: bool


@register_event
class Returned(NamedTuple):
    """The *meeple* of *seat* leaves the spot where it stood, and is in hand again (BASE-35)."""

    seat: int
    meeple: str
    x: int
    y: int
    on: str
    side: str | None


@register_event
class Asked(NamedTuple):
    """The step of the turn called *step* (``Step.name``) waits for the answers of *seats*, in this order."""

    step: str
    seats: tuple[int, ...]


@register_event
class Answered(NamedTuple):
    """*seat*, which was asked first, has decided: the next one is asked, or the turn goes on."""

    seat: int


@register_event
class TurnPassed(NamedTuple):
    """The turn of *seat* begins."""

    seat: int


@register_event
class FurtherTurn(NamedTuple):
    """*seat* has one more turn. *source*: ``volcano`` (RIVER-15), ``hole`` (HR-8) or ``builder`` (TB-6)."""

    seat: int
    source: str


@register_event
class Started(NamedTuple):
    """The first tile drawn lies at 0, 0 as the start tile, and nobody's turn (HR-4)."""

    tile: str


@register_event
class PutAside(NamedTuple):
    """The drawn tile fits nowhere and waits beside the bag; *seat* draws again (HR-6)."""

    seat: int
    tile: str


@register_event
class PutBack(NamedTuple):
    """The *tiles* put aside return to random places of what is still to be drawn (HR-6)."""

    tiles: tuple[str, ...]


@register_event
class Dealing(NamedTuple):
    """The next tiles are drawn into the hands of *seats*, one each, in this order; a seat is listed once for
    each tile (HR-2, HR-3). Until then no tile may be placed."""

    seats: tuple[int, ...]


@register_event
class Dealt(NamedTuple):
    """A tile drawn into the hand of *seat*, to be played in a later turn (HR-2, HR-3)."""

    seat: int
    tile: str


@register_event
class HandReady(NamedTuple):
    """*seat* holds a tile that fits, and its turn begins. *tile* is the one taken up where only one is held
    (HR-2), ``None`` where it chooses (HR-3)."""

    seat: int
    tile: str | None


@register_event
class LastTurnPlayed(NamedTuple):
    """No tile is left to draw: only the end remains (BASE-36, BASE-37)."""


@register_event
class Finished(NamedTuple):
    """The final scoring is done."""

    scores: tuple[int, ...]


def event_to_json(event: Event) -> dict[str, Any]:
    """*event* as an object for JSON: its ``type`` and its fields; a field that is ``None`` is left out.

    >>> event_to_json(Completed(0, "city", 0, -1, "S", tiles=2))
    {'type': 'completed', 'seat': 0, 'on': 'city', 'x': 0, 'y': -1, 'side': 'S', 'tiles': 2}
    >>> event_to_json(LastTurnPlayed())
    {'type': 'last_turn_played'}
    """
    fields = {name: value for name, value in event._asdict().items() if value is not None}
    if "terms" in fields:
        fields["terms"] = [asdict(term) for term in fields["terms"]]
    return {"type": _name(type(event)), **fields}


def event_from_json(stored: Mapping[str, Any]) -> Event:
    """Return what :func:`event_to_json` wrote. ``KeyError`` for a type that nothing knows.

    >>> event_from_json({"type": "drawn", "seat": 0, "tile": "base.E"})
    Drawn(seat=0, tile='base.E')
    """
    kind = EVENTS[stored["type"]]
    fields: dict[str, Any] = {}
    for name in kind.__annotations__:
        value: Any = stored.get(name)
        if name == "terms":
            value = tuple(Term(**term) for term in value)
        elif isinstance(value, list):
            value = tuple(value)
        fields[name] = value
    return kind(**fields)
