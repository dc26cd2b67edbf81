"""Scored features as highlights on the board, with the points and the figures that earned them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from core.numerals import format_signed
from games.drawing.board import Gain, Highlight
from games.models import Seat
from games.rules import Board, Feature, Returned, Scored, Spot, Standing, State, get_scored_spot
from games.rules.scoring import list_completed_cities
from games.rules.tiles import FIELD


class Scoring(NamedTuple):
    """A feature, or another source of points, and its points for each seat."""

    on: str
    spot: Spot | None
    gains: tuple[Scored, ...]

    @property
    def points(self) -> dict[int, int]:
        """Return the points of each seat, in the order of the gains."""
        points: Counter[int] = Counter()
        for gain in self.gains:
            points[gain.seat] += gain.points
        return dict(points)


def group_scorings(scored: Iterable[Scored]) -> tuple[Scoring, ...]:
    """Group *scored* by feature or source; the rules give those of one feature in succession."""
    scorings = []
    for _key, group in groupby(scored, key=_what):
        gains = tuple(group)
        scorings.append(Scoring(gains[0].on, get_scored_spot(gains[0]), gains))
    return tuple(scorings)


def _what(scored: Scored) -> tuple[Any, ...]:
    term = scored.terms[0].name if get_scored_spot(scored) is None and scored.terms else ""
    return scored.on, scored.x, scored.y, scored.side, term


def highlight_feature(board: Board, feature: Feature, looks: Sequence[int]) -> Iterator[Highlight]:
    """Highlight the segments of *feature* in its owners' colours, alternating from tile to tile if there are
    several; in a neutral colour if there are none."""
    for code in feature.segments:
        spot = board.spot(code)
        look = looks[(spot.x + spot.y) % len(looks)] if looks else None
        yield Highlight(*spot, seat=look)


def list_paying_lights(state: State, spot: Spot) -> tuple[Highlight, ...]:
    """Highlight the completed cities that pay the field at *spot* in nobody's colour; none for other
    features."""
    if spot.on != FIELD:
        return ()
    land = state.board.features[state.board.code(spot)]
    cities = list_completed_cities(state.board, land)
    return tuple(light for city in cities for light in highlight_feature(state.board, city, ()))


class Earned(NamedTuple):
    """Scorings as a picture shows them: highlighted segments, points, and the scoring figures' spots."""

    lights: tuple[Highlight, ...]
    gains: tuple[Gain, ...]
    by: frozenset[Spot]


def collect_earned(
    board: Board, scorings: Iterable[Scoring], meeples: Iterable[Standing | Returned], seats: Sequence[Seat]
) -> Earned:
    """Return the highlights of *scorings* on *board*; *meeples* may have earned them, on the board or
    returned."""
    standing = [(meeple.seat, Spot(meeple.x, meeple.y, meeple.on, meeple.side)) for meeple in meeples]
    lit: list[Highlight] = []
    gains: list[Gain] = []
    by: set[Spot] = set()
    taken: Counter[Spot] = Counter()
    for scoring in scorings:
        if scoring.spot is None:
            continue
        feature = board.features[board.code(scoring.spot)]
        there = [(seat, spot) for seat, spot in standing if board.code(spot) in feature.segments]
        lit += highlight_feature(board, feature, [seats[seat].look for seat in scoring.points])
        for seat, points in scoring.points.items():
            own = [spot for other, spot in there if other == seat]
            by.update(own)
            at = own[0] if own else scoring.spot
            gains.append(Gain(*at, text=format_signed(points), seat=seats[seat].look, row=taken[at]))
            taken[at] += 1
    return Earned(tuple(lit), tuple(gains), frozenset(by))
