"""Tests of drawing features that the base game lacks: rivers, bridges, inns, goods and others."""

from __future__ import annotations

import pytest
from PIL import ImageStat

from games.drawing.decor import decor
from games.drawing.ground import ground
from games.drawing.layout import layout
from games.drawing.picture import build_tile_image
from games.drawing.regions import regions
from games.drawing.sprite import rotations, tiles
from games.rules.tiles import Tile, get_tile
from tests.cases import for_each

SIGNS = {
    "shield",
    "wine",
    "grain",
    "cloth",
    "inn",
    "cathedral",
    "pig_herd",
    "volcano",
    "garden",
    "monastery",
    "shrine",
}


def drawn(tile: Tile, rotation: int = 0) -> str:
    return ground(tile, rotation) + decor(tile, rotation, 0)


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("river1.spring", "spring"),
        ("river1.lake", "lake"),
        ("river2.lake-volcano", "lake"),
        ("river2.city-across", "water-gate"),
        ("river2.city-mouth", "water-gate"),
        ("river1.city-bridge", "gate"),
        ("king-and-robber.crossing-cities", "passage"),
        ("winter.dead-end", "village"),
    ],
)
def test_what_ends_or_crosses_is_drawn_upright_in_every_rotation(name: str, symbol: str) -> None:
    for rotation in rotations(get_tile(name)):
        assert f'<use href="#{symbol}" x=' in drawn(get_tile(name), rotation)


@for_each("one", tuple(tiles()))
def test_a_tile_shows_all_that_its_facts_name_and_nothing_else(one: Tile) -> None:
    facts = {mark for segment in one.segments for mark in segment.marks} | set(one.marks)
    facts |= {segment.kind for segment in one.segments}
    facts |= {"shield" for segment in one.segments if segment.shields}
    for rotation in rotations(one):
        svg = drawn(one, rotation)
        assert {sign for sign in SIGNS if f'href="#{sign}"' in svg} == facts & SIGNS


def test_roads_cross_rivers_by_bridges() -> None:
    assert [point for point, _ in layout(get_tile("river1.road-bridge")).bridges] == [
        pytest.approx((50, 50), abs=2)
    ]
    assert len(layout(get_tile("river1.city-bridge")).bridges) == 1
    assert layout(get_tile("river2.fork")).bridges == ()


def test_a_road_ends_at_each_gate_that_divides_fields() -> None:
    assert len(layout(get_tile("king-and-robber.corner-two-gates")).gates) == 2
    assert layout(get_tile("king-and-robber.corner-two-gates")).village is None


def test_a_hedge_divides_fields_that_nothing_else_divides() -> None:
    (hedge,) = layout(get_tile("king-and-robber.corner-two-gates")).hedges
    assert hedge.end == (100, 100)
    assert layout(get_tile("traders-and-builders.corner-wine")).hedges == ()


def test_river_flows_around_a_monastery() -> None:
    plan = layout(get_tile("river2.monastery"))
    x, y = plan.cloister or (0, 0)
    (river,) = plan.rivers
    assert min((x - a) ** 2 + (y - b) ** 2 for a, b in river.curve.samples()) > 30**2


def test_four_cities_leave_a_field_between_them() -> None:
    middle = build_tile_image("inns-and-cathedrals.four-cities", 0, 0, 100).crop((45, 45, 55, 55))
    red, green, _ = ImageStat.Stat(middle).mean
    assert green > red


def test_crossing_cities_are_two_with_two_fields_between_them() -> None:
    cells = regions(get_tile("king-and-robber.crossing-cities"))
    over, under, first, second = (cells.of(index) for index in range(4))
    assert min(len(over), len(under)) > 400 < len(over | under)
    assert min(len(first), len(second)) > 60
    assert max(x for x, y in first) < min(x for x, y in second)


def test_roads_that_cross_without_a_junction_pass_over_one_another() -> None:
    ((upper, point, _),) = layout(get_tile("traders-and-builders.crossing-roads")).overpasses
    assert upper.index == 1 and point == pytest.approx((50, 50), abs=2)
    assert layout(get_tile("base.X")).overpasses == layout(get_tile("river1.road-bridge")).overpasses == ()


def test_a_lane_from_a_village_divides_fields_at_a_city() -> None:
    assert len(layout(get_tile("traders-and-builders.cap-two-roads")).lanes) == 1
    assert len(layout(get_tile("inns-and-cathedrals.two-cities-two-roads")).lanes) == 2
    assert not any(layout(tile).lanes for tile in tiles() if tile.id.startswith("base."))
