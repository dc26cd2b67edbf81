"""The worth of features, and the seats they pay. A score keeps its reasons as terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .actions import Recall
from .board import Feature, Meeple
from .events import Event, Returned, Scored, Term
from .geometry import get_cell, get_coordinates
from .state import State
from .tiles import CITY, FIELD, MAX_SEGMENTS, RIVER, SURROUNDED

if TYPE_CHECKING:
    from .board import Board

Seat = int


def find_majority(strength: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """The seats that score, in seat order; empty where nobody stands.

    Rule: BASE-33.

    >>> find_majority({0: 2, 1: 3, 2: 3})
    (1, 2)
    >>> find_majority({0: 0})
    ()
    """
    best = max(strength.values(), default=0)
    return tuple(sorted(seat for seat, n in strength.items() if n == best > 0))


def count_strength(meeples: Iterable[Meeple], strengths: Mapping[str, int]) -> Counter[Seat]:
    """Return the total strength of each seat's *meeples* (BASE-33).

    >>> count_strength([Meeple(0, "follower", 0), Meeple(1, "large", 0)], {"follower": 1, "large": 2})
    Counter({1: 2, 0: 1})
    """
    count: Counter[Seat] = Counter()
    for meeple in meeples:
        count[meeple.seat] += strengths[meeple.figure]
    return count


def count_shields(board: Board, city: Feature) -> int:
    """The shields on the segments of *city* (BASE-31)."""
    return sum(board.segment(code).shields for code in city.segments)


def compute_worth(state: State, feature: Feature, *, complete: bool) -> tuple[Term, ...]:
    """Return what a road, city or monastery is worth, complete or at the end of the game, as terms.

    Rules: BASE-30 to BASE-32, BASE-40 to BASE-42.

    >>> from games.rules import Game, RuleSet
    >>> state = Game.new(RuleSet.of()).state
    >>> compute_worth(state, state.feature_at(0, 0, "road", "E"), complete=False)
    (Term(name='tiles', count=1, points=1),)
    """
    if feature.kind in SURROUNDED:
        code = feature.segments[0]
        count = state.board.around(code) if state.board.beyond else 9 - feature.open_ends
        terms = [Term("tiles", count, count)]
    else:
        count, each = feature.tiles, 1
        terms = []
        if feature.kind == CITY:
            small = count == 2 and state.rules.options["two_tile_city"] == 2
            each = 2 if complete and not small else 1
            borne = count_shields(state.board, feature)
            if borne:
                terms = [Term("shields", borne, borne * each)]
        terms.insert(0, Term("tiles", count, count * each))
    for module in state.rules.asking("terms"):
        terms.extend(module.terms(state, feature, complete))
    return tuple(terms)


def pay_feature(state: State, feature: Feature, *, complete: bool) -> Iterator[Scored]:
    """A scoring of *feature* for each seat in the majority; none where nobody stands (BASE-33, BASE-34).

    >>> from games.rules import Draw, Game, RuleSet
    >>> from games.rules.notation import read
    >>> game = Game.new(RuleSet.of()).play(Draw("base.U")).play(read("1,0 r0 road E", tile="base.U"))
    >>> road = game.state.feature_at(0, 0, "road", "E")
    >>> [(scored.seat, scored.points) for scored in pay_feature(game.state, road, complete=False)]
    [(0, 2)]
    """
    if not feature.meeples:
        return
    terms = compute_worth(state, feature, complete=complete)
    points = sum(term.points for term in terms)
    spot = state.board.spot_of(feature)
    for seat in find_majority(count_strength(feature.meeples, state.rules.strengths)):
        yield Scored(seat, feature.kind, points, terms, spot.x, spot.y, spot.side, complete)


def score_at_end(state: State, features: Sequence[Feature] | None = None) -> Iterator[Scored]:
    """Yield the scorings of the features left on the board at the end, or of some *features*.

    Rules: BASE-39 to BASE-43, BASE-45.

    >>> from games.rules import Draw, Game, RuleSet
    >>> from games.rules.notation import read
    >>> game = Game.new(RuleSet.of()).play(Draw("base.U")).play(read("1,0 r0 road E", tile="base.U"))
    >>> [(scored.seat, scored.on, scored.points) for scored in score_at_end(game.state)]
    [(0, 'road', 2)]
    """
    if features is None:
        features = state.board.all_features()
    if state.rules.options["incomplete_scores"]:
        for feature in features:
            if feature.kind not in (FIELD, RIVER) and not feature.complete:
                yield from pay_feature(state, feature, complete=False)
    yield from FIELD_RULES[state.rules.options["fields"]](state, features)


def recall_meeple(state: State, seat: Seat, recall: Recall) -> Iterator[Event]:
    """Yield the events of *seat* recalling a figure from a building, which scores as it stands (ABBOT-7)."""
    cell = get_cell(recall.x, recall.y)
    for index in state.board.tiles[cell].surrounded:
        feature = state.board.features[cell * MAX_SEGMENTS + index]
        for meeple in feature.meeples:
            if meeple.seat == seat and meeple.figure in state.rules.recalled:
                terms = compute_worth(state, feature, complete=False)
                points = sum(term.points for term in terms)
                spot = state.board.spot(meeple.code)
                yield Scored(seat, feature.kind, points, terms, spot.x, spot.y, spot.side, False)
                yield Returned(seat, meeple.figure, *spot)
                return


def build_bonus(state: State, seat: Seat, on: str, count: int, points: int, name: str) -> Scored:
    """A scoring of no feature, with the position of the turn's tile, at the end of the first of all."""
    x, y = get_coordinates(next(iter(state.board.tiles)) if state.cell is None else state.cell)
    return Scored(seat, on, points, (Term(name, count, points),), x, y, None, False)


def list_completed_cities(board: Board, land: Feature) -> tuple[Feature, ...]:
    """The completed cities that the field *land* touches, each once (BASE-47 to BASE-49)."""
    return tuple(city for city in board.touched_cities(land) if city.complete)


FIELD_POINTS: Mapping[str, int] = {"third-edition": 3, "second-edition": 3, "first-edition": 4}
"""Points that a completed city brings to its fields, by the option ``fields`` (BASE-50)."""

City = int | str
"""A completed city: the id of its feature in a state, or the name of one that is no feature."""


def list_paying_cities(state: State, land: Feature) -> tuple[City, ...]:
    """The completed cities that the field *land* touches, including those that are not features (COUNT-3).

    >>> from games.rules import Draw, Game, RuleSet
    >>> from games.rules.notation import read
    >>> game = Game.new(RuleSet.of()).play(Draw("base.E")).play(read("0,-1 r180", tile="base.E"))
    >>> fields = [game.state.feature_at(0, 0, "field", side) for side in ("ENE", "SSE")]
    >>> [len(list_paying_cities(game.state, land)) for land in fields]
    [1, 0]
    """
    cities: list[City] = [id(city) for city in list_completed_cities(state.board, land)]
    for name in state.rules.cities:
        if any(name in state.board.segment(code).marks for code in land.segments):
            cities.append(name)
    return tuple(cities)


def count_completed(state: State, kind: str) -> int:
    """Return how many completed features of *kind* there are, claimed or not (KR-7, KR-9).

    >>> from games.rules import Draw, Game, RuleSet
    >>> from games.rules.notation import read
    >>> game = Game.new(RuleSet.of()).play(Draw("base.E")).play(read("0,-1 r180", tile="base.E"))
    >>> count_completed(game.state, "city"), count_completed(game.state, "road")
    (1, 0)
    """
    features = state.board.number_of(lambda feature: feature.kind == kind and feature.complete)
    return features + len(state.rules.cities) if kind == CITY else features


def _list_farmed_fields(features: Iterable[Feature]) -> Iterator[Feature]:
    return (feature for feature in features if feature.kind == FIELD and feature.meeples)


def _extras(state: State, land: Feature, seat: Seat) -> tuple[str, ...]:
    """The names of terms that bring *seat* one more point for each city that pays *land*."""
    return tuple(
        name for module in state.rules.asking("farm_terms") for name in module.farm_terms(state, land, seat)
    )


def _farm(state: State, land: Feature, seat: Seat, cities: int, each: int, extras: Iterable[str]) -> Scored:
    terms = (Term("cities", cities, each * cities), *(Term(name, cities, cities) for name in extras))
    spot = state.board.spot_of(land)
    points = sum(term.points for term in terms)
    return Scored(seat, FIELD, points, terms, spot.x, spot.y, spot.side, False)


def _third_edition(state: State, features: Iterable[Feature]) -> Iterator[Scored]:
    """For each field, 3 for each completed city that it touches, to the majority on it (BASE-50)."""
    for land in _list_farmed_fields(features):
        cities = len(list_paying_cities(state, land))
        for seat in find_majority(count_strength(land.meeples, state.rules.strengths)):
            yield _farm(state, land, seat, cities, FIELD_POINTS["third-edition"], _extras(state, land, seat))


def _second_edition(state: State, features: Iterable[Feature]) -> Iterator[Scored]:
    """As the third, but no player is paid twice for the same city (BASE-50).

    Where fields would pay a player differently for a city, the one that pays most does (TB-11).
    """
    paid: set[tuple[Seat, City]] = set()
    claims = [
        (land, seat, _extras(state, land, seat))
        for land in _list_farmed_fields(features)
        for seat in find_majority(count_strength(land.meeples, state.rules.strengths))
    ]
    for land, seat, extras in sorted(claims, key=lambda claim: -len(claim[2])):
        new = [city for city in list_paying_cities(state, land) if (seat, city) not in paid]
        paid.update((seat, city) for city in new)
        yield _farm(state, land, seat, len(new), FIELD_POINTS["second-edition"], extras)


Touching = Sequence[tuple[Feature, tuple[City, ...]]]
"""Fields with farmers, each with the completed cities that it touches."""


def score_farmed_city(
    state: State, farmed: Touching, city: City
) -> Iterator[tuple[Feature, Seat, tuple[str, ...]]]:
    """Yield the scorings of *city* for all its fields together: the first of them, the seat, and the names of
    its extra terms (BASE-50, first edition)."""
    fields = [land for land, touched in farmed if city in touched]
    farmers = count_strength((meeple for land in fields for meeple in land.meeples), state.rules.strengths)
    for seat in find_majority(farmers):
        mine = [land for land in fields if any(meeple.seat == seat for meeple in land.meeples)]
        extras = dict.fromkeys(name for land in mine for name in _extras(state, land, seat))
        yield fields[0], seat, tuple(extras)


def _first_edition(state: State, features: Iterable[Feature]) -> Iterator[Scored]:
    """For each completed city, 4 to the seat with most farmers on all its fields together (BASE-50).

    The scoring has the position of the first of those fields.
    """
    farmed = [(land, list_paying_cities(state, land)) for land in _list_farmed_fields(features)]
    cities: list[City] = [id(city) for city in features if city.kind == CITY and city.complete]
    for city in (*cities, *state.rules.cities):
        for first, seat, extras in score_farmed_city(state, farmed, city):
            yield _farm(state, first, seat, 1, FIELD_POINTS["first-edition"], extras)


def _no_fields(state: State, features: Iterable[Feature]) -> Iterator[Scored]:
    """No scorings, as fields are not played (BASE-22)."""
    return iter(())


FIELD_RULES = {
    "third-edition": _third_edition,
    "second-edition": _second_edition,
    "first-edition": _first_edition,
    "none": _no_fields,
}
