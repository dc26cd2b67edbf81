"""Tests of figures' positions: clearly inside their segment, and never over each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from games.drawing.places import LYING, SIGNS, STANDING, open_ground, places
from games.drawing.regions import cell_of
from games.drawing.spots import guest_point, spot_point
from games.drawing.sprite import rotations, tiles
from games.rules.tiles import CITY, FIELD, RIVER, ROAD, Lie, Tile
from tests.cases import for_each

TURNED = [(tile, rotation) for tile in tiles() for rotation in rotations(tile)]
IDS = [f"{tile.id}-r{rotation}" for tile, rotation in TURNED]


def spots(tile: Tile, rotation: int) -> Iterator[tuple[Lie, tuple[int, int]]]:
    for lie in tile.at(rotation).lies:
        for side in lie.sides or (None,) if lie.kind != RIVER else ():
            yield lie, spot_point(tile.id, rotation, lie.kind, side)


@for_each(("tile", "rotation"), TURNED)
def test_spots_lie_in_their_own_segment(tile: Tile, rotation: int) -> None:
    for lie, point in spots(tile, rotation):
        assert 0 < point[0] < 100 and 0 < point[1] < 100
        if lie.kind in (CITY, FIELD):
            assert cell_of(point) in open_ground(tile, rotation, lie.index), lie.segment


@for_each(("tile", "rotation"), TURNED)
def test_figures_on_different_segments_do_not_hide_each_other(tile: Tile, rotation: int) -> None:
    for (one, a), (other, b) in combinations(spots(tile, rotation), 2):
        if one.index == other.index:
            assert a == b
            continue
        halves = [LYING if lie.kind == FIELD else STANDING for lie in (one, other)]
        beside = abs(a[0] - b[0]) / (halves[0][0] + halves[1][0])
        above = abs(a[1] - b[1]) / (halves[0][1] + halves[1][1])
        assert max(beside, above) > 0.72, (one.segment, other.segment, a, b)


@for_each(("tile", "rotation"), TURNED)
def test_shields_show_beside_the_meeple(tile: Tile, rotation: int) -> None:
    where = places(tile, rotation)
    for index, (_, (x, y)) in where.emblems.items():
        at_road = tile.segments[index].kind == ROAD  # its inn stands in a field along it
        lands = [
            segment.index
            for segment in tile.segments
            if segment.index == index or (at_road and segment.kind == FIELD)
        ]
        assert any(cell_of((x, y)) in open_ground(tile, rotation, land) for land in lands)
        spot = where.spots[index]
        assert max(abs(x - spot[0]) / 19, abs(y - spot[1]) / 21) > 0.9


@for_each(("tile", "rotation"), TURNED)
def test_every_segment_for_a_meeple_has_a_spot(tile: Tile, rotation: int) -> None:
    spots = places(tile, rotation).spots
    assert {segment.index for segment in tile.segments if segment.kind != RIVER} == set(spots)


@for_each(("tile", "rotation"), TURNED)
def test_great_signs_stay_on_their_tile(tile: Tile, rotation: int) -> None:
    for name, (x, y) in places(tile, rotation).emblems.values():
        if name in ("cathedral", "inn", "pig_herd", "volcano"):
            across, down = SIGNS[name]
            assert across <= x <= 100 - across and down <= y <= 100 - down


@for_each(("tile", "rotation"), TURNED)
def test_a_figure_that_is_no_seats_stands_in_a_city_beside_its_knight(tile: Tile, rotation: int) -> None:
    for lie in tile.at(rotation).lies:
        if lie.kind == CITY:
            x, y = guest_point(tile.id, rotation, CITY, lie.side)
            assert cell_of((x, y)) in open_ground(tile, rotation, lie.index)
            knight = spot_point(tile.id, rotation, CITY, lie.side)
            assert max(abs(x - knight[0]) / 20, abs(y - knight[1]) / 22) > 0.6


def test_unknown_spot_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        spot_point("base.E", 0, ROAD, "N")
