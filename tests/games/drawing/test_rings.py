"""Tests of the rings round a tile's places: apart from each other and from the button that rotates it."""

import re
from itertools import combinations
from math import hypot

from games.drawing.board import BoardPicture, CandidateSpot, CandidateTile, draw_above_tiles
from games.drawing.rings import APART, BUTTON, RADIUS, spread
from games.drawing.sprite import load_generated
from games.rules.short_form import list_spots


def far(one: tuple[float, float], other: tuple[float, float]) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def test_on_every_tile_and_way_no_two_rings_overlap() -> None:
    ways = [
        [tuple(at) for at in spots.values()] for tile in load_generated()["spots"].values() for spots in tile
    ]
    assert max(map(len, ways)) >= 8
    for points in ways:
        rings = spread(points, kept=[BUTTON])
        assert len(rings) == len(points)
        for one, other in combinations([*rings, BUTTON], 2):
            assert far(one, other) >= APART - 1e-6, points
        for point, ring in zip(points, rings, strict=True):
            assert far(point, ring) <= 2 * RADIUS, "near enough that the line to the spot is short"


def test_points_that_are_one_are_parted_the_same_way_each_time() -> None:
    rings = spread([(50, 50), (50, 50), (50, 50)])
    assert all(far(one, other) >= APART - 1e-6 for one, other in combinations(rings, 2))
    assert rings == spread([(50, 50), (50, 50), (50, 50)])


def test_what_has_room_stays() -> None:
    assert spread([(0, 0), (100, 0)], kept=[(50, 90)]) == [(0.0, 0.0), (100.0, 0.0)]


def test_a_letter_is_whole_on_the_picture_of_its_tile() -> None:
    """A mail shows the tile alone, so a ring across its edge would be cut."""
    for id in load_generated()["spots"]:
        spots = tuple(CandidateSpot(one.on, one.side, "", "", text=one.letter) for one in list_spots(id))
        picture = BoardPicture((), candidate=CandidateTile(id, 0, 0, 0, 0, spots=spots))
        drawn = draw_above_tiles(picture, links=False)
        for x, y, radius in re.findall(r'class="ring" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', drawn):
            for at in (float(x), float(y)):
                assert float(radius) < at < 100 - float(radius), (id, x, y)
