"""The score sheet: where every point of a game came from, turn by turn and by kind of feature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games import words
from games.models import Seat
from games.names import seat_names
from games.rules import Scored, event_from_json

NO_FEATURES = ("king", "robber", "goods")
"""What brings points and lies nowhere."""


class Line(NamedTuple):
    """One scoring: who, for what, its terms in words, what it brought and the score after it."""

    look: int
    player: str
    kind: str
    place: str
    terms: tuple[str, ...]
    points: int
    total: int


class Part(NamedTuple):
    """The scorings of one turn, or of the end of the game (``ply`` is ``None``)."""

    ply: int | None
    heading: str
    lines: tuple[Line, ...]


class KindRow(NamedTuple):
    """What one kind of feature brought to each seat."""

    kind: str
    points: tuple[int, ...]


class Sheet(NamedTuple):
    parts: tuple[Part, ...]
    kinds: tuple[KindRow, ...]
    totals: tuple[int, ...]


def scored(events: Iterable[Mapping[str, Any]]) -> list[Scored]:
    """The scorings among stored *events*."""
    return [event for event in map(event_from_json, events) if isinstance(event, Scored)]


def sheet(moves: Iterable[tuple[int | None, Sequence[Mapping[str, Any]]]], seats: Sequence[Seat]) -> Sheet:
    """The sheet of a game from its *moves*, oldest first: ply and stored events."""
    totals = [0] * len(seats)
    names = seat_names(seats)
    by_kind: dict[str, Counter[int]] = {}
    parts = []
    for ply, events in moves:
        lines = []
        for one in scored(events):
            totals[one.seat] += one.points
            by_kind.setdefault(one.on, Counter())[one.seat] += one.points
            lines.append(line(one, seats[one.seat], names[one.seat], totals[one.seat]))
        if lines:
            heading = _("End of the game") if ply is None else _("Turn {n}").format(n=ply)
            parts.append(Part(ply, heading, tuple(lines)))
    kinds = tuple(
        KindRow(words.kind(kind), tuple(by_kind[kind][seat] for seat in range(len(seats))))
        for kind in words.KINDS
        if kind in by_kind
    )
    return Sheet(tuple(parts), kinds, tuple(totals))


def place_of(one: Scored) -> str:
    """Where the feature of a scoring lies; empty for what is no feature."""
    return "" if one.on in NO_FEATURES else words.cell(one.x, one.y)


def line(one: Scored, seat: Seat, name: str, total: int) -> Line:
    """*one* scoring of *seat*, after which it has *total* points."""
    return Line(
        seat.look,
        name,
        words.kind(one.on),
        place_of(one),
        tuple(words.term(term) for term in one.terms),
        one.points,
        total,
    )
