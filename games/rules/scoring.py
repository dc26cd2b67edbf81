"""What features are worth, and whom they pay. A score keeps its reasons as terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from .board import Feature, Meeple
from .state import Scored, State, Term
from .tiles import CITY, FIELD, RIVER, SURROUNDED

if TYPE_CHECKING:
    from .board import Board

Seat = int


def majority(strength: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """The seats that score, in seat order; empty where nobody stands.

    Rule: BASE-33.
    """
    best = max(strength.values(), default=0)
    return tuple(sorted(seat for seat, n in strength.items() if n == best > 0))


def strength(meeples: Iterable[Meeple], strengths: Mapping[str, int]) -> Counter[Seat]:
    """What each seat's *meeples* count together (BASE-33)."""
    count: Counter[Seat] = Counter()
    for meeple in meeples:
        count[meeple.seat] += strengths[meeple.figure]
    return count


def shields(board: Board, city: Feature) -> int:
    """The shields on the segments of *city* (BASE-31)."""
    return sum(board.segment(code).shields for code in city.segments)


def worth(state: State, feature: Feature, *, complete: bool) -> tuple[Term, ...]:
    """What a road, city or monastery is worth, complete or at the end of the game, as terms.

    Rules: BASE-30 to BASE-32, BASE-40 to BASE-42.
    """
    if feature.kind in SURROUNDED:
        count = 9 - feature.open_ends
        terms = [Term("tiles", count, count)]
    else:
        count, each = feature.tiles, 1
        terms = []
        if feature.kind == CITY:
            small = count == 2 and state.rules.options["two_tile_city"] == 2
            each = 2 if complete and not small else 1
            borne = shields(state.board, feature)
            if borne:
                terms = [Term("shields", borne, borne * each)]
        terms.insert(0, Term("tiles", count, count * each))
    for module in state.rules.asking("terms"):
        terms.extend(module.terms(state, feature, complete))
    return tuple(terms)


def pay(state: State, feature: Feature, *, complete: bool) -> Iterator[Scored]:
    """A scoring of *feature* for each seat in the majority; none where nobody stands (BASE-33, BASE-34)."""
    if not feature.meeples:
        return
    terms = worth(state, feature, complete=complete)
    points = sum(term.points for term in terms)
    spot = state.board.spot_of(feature)
    for seat in majority(strength(feature.meeples, state.rules.strengths)):
        yield Scored(seat, feature.kind, points, terms, spot.x, spot.y, spot.side, complete)


def final_scoring(state: State) -> Iterator[Scored]:
    """What the features left on the board bring at the end.

    Rules: BASE-39 to BASE-43, BASE-45.
    """
    features = state.board.all_features()
    if state.rules.options["incomplete_scores"]:
        for feature in features:
            if feature.kind not in (FIELD, RIVER) and not feature.complete:
                yield from pay(state, feature, complete=False)
    yield from FIELD_RULES[state.rules.options["fields"]](state, features)


def completed_cities(board: Board, land: Feature) -> tuple[Feature, ...]:
    """The completed cities that the field *land* touches, each once (BASE-47 to BASE-49)."""
    return tuple(city for city in board.touched_cities(land) if city.complete)


def _farmed(features: Iterable[Feature]) -> Iterator[Feature]:
    return (feature for feature in features if feature.kind == FIELD and feature.meeples)


def _third_edition(state: State, features: Iterable[Feature]) -> Iterator[Scored]:
    """For each field, 3 for each completed city that it touches, to the majority on it (BASE-50)."""
    for land in _farmed(features):
        cities = len(completed_cities(state.board, land))
        spot = state.board.spot_of(land)
        for seat in majority(strength(land.meeples, state.rules.strengths)):
            terms = (Term("cities", cities, 3 * cities),)
            yield Scored(seat, FIELD, 3 * cities, terms, spot.x, spot.y, spot.side, False)


def _second_edition(state: State, features: Iterable[Feature]) -> Iterator[Scored]:
    """As the third, but no player is paid twice for the same city (BASE-50)."""
    paid: set[tuple[Seat, int]] = set()
    for land in _farmed(features):
        cities = completed_cities(state.board, land)
        spot = state.board.spot_of(land)
        for seat in majority(strength(land.meeples, state.rules.strengths)):
            new = [city for city in cities if (seat, id(city)) not in paid]
            paid.update((seat, id(city)) for city in new)
            terms = (Term("cities", len(new), 3 * len(new)),)
            yield Scored(seat, FIELD, 3 * len(new), terms, spot.x, spot.y, spot.side, False)


def _first_edition(state: State, features: Iterable[Feature]) -> Iterator[Scored]:
    """For each completed city, 4 to whoever has most farmers on all its fields together (BASE-50).

    The scoring stands at the first of those fields.
    """
    lands = tuple(_farmed(features))
    for city in features:
        if city.kind != CITY or not city.complete:
            continue
        fields = [land for land in lands if any(city is one for one in state.board.touched_cities(land))]
        farmers = strength((meeple for land in fields for meeple in land.meeples), state.rules.strengths)
        for seat in majority(farmers):
            spot = state.board.spot_of(fields[0])
            yield Scored(seat, FIELD, 4, (Term("cities", 1, 4),), spot.x, spot.y, spot.side, False)


def _no_fields(state: State, features: Iterable[Feature]) -> Iterator[Scored]:
    """Fields are not played (BASE-22)."""
    return iter(())


FIELD_RULES = {
    "third-edition": _third_edition,
    "second-edition": _second_edition,
    "first-edition": _first_edition,
    "none": _no_fields,
}
