"""What the base game lacks is drawn from facts as well: rivers, bridges, inns, goods and the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import ImageStat

from games.drawing.buildings import buildings
from games.drawing.decor import decor
from games.drawing.ground import ground
from games.drawing.layout import layout
from games.drawing.palette import WATER
from games.drawing.picture import rendered
from games.drawing.places import places
from games.rules import tiles as tables
from games.rules.geometry import ROTATIONS
from games.rules.tiles import RIVER, Tile, tile_set

from .test_edges import ALL_IN_ALL, LARGEST, difference, strip
from .test_picture import near


@pytest.fixture(scope="module")
def sample() -> dict[str, Tile]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "DATA", Path(__file__).with_name("tiles"))
        return {tile.id.removeprefix("sample."): tile for tile in tile_set("sample").tiles}


def drawn(tile: Tile, rotation: int = 0) -> str:
    return ground(tile, rotation) + decor(tile, rotation, 0)


def image(tile: Tile, rotation: int):  # type: ignore[no-untyped-def]
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f"<defs>{buildings()}</defs>{drawn(tile, rotation)}</svg>"
    )
    return rendered(svg, 100).convert("RGB")


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("spring", "spring"),
        ("lake-volcano", "lake"),
        ("lake-volcano", "volcano"),
        ("pig-herd", "pig_herd"),
        ("inn", "inn"),
        ("cathedral", "cathedral"),
        ("wine", "wine"),
        ("shrine", "shrine"),
        ("river-under-city", "water-gate"),
        ("city-bridge", "gate"),
    ],
)
def test_what_a_tile_has_is_drawn_upright_in_every_rotation(
    sample: dict[str, Tile], name: str, symbol: str
) -> None:
    for rotation in ROTATIONS:
        assert f'<use href="#{symbol}" x=' in drawn(sample[name], rotation)


def test_every_segment_has_a_spot_for_a_meeple(sample: dict[str, Tile]) -> None:
    for tile in sample.values():
        for rotation in ROTATIONS:
            spots = places(tile, rotation).spots
            for segment in tile.segments:
                assert segment.kind == RIVER or segment.index in spots, (tile.id, segment)


def test_roads_cross_rivers_by_bridges(sample: dict[str, Tile]) -> None:
    assert [point for point, _ in layout(sample["road-bridge"]).bridges] == [pytest.approx((50, 50), abs=2)]
    assert len(layout(sample["city-bridge"]).bridges) == 1
    assert layout(sample["fork"]).bridges == ()


def test_a_road_ends_at_each_gate_that_divides_fields(sample: dict[str, Tile]) -> None:
    assert len(layout(sample["two-gates"]).gates) == 2
    assert layout(sample["two-gates"]).village is None


def test_a_hedge_divides_fields_that_nothing_else_divides(sample: dict[str, Tile]) -> None:
    (hedge,) = layout(sample["two-gates"]).hedges
    assert hedge.end == (100, 100)
    assert layout(sample["wine"]).hedges == ()


def test_river_flows_around_a_monastery(sample: dict[str, Tile]) -> None:
    plan = layout(sample["monastery-river"])
    x, y = plan.cloister or (0, 0)
    (river,) = plan.rivers
    assert min((x - a) ** 2 + (y - b) ** 2 for a, b in river.curve.samples()) > 30**2


def test_rivers_join_without_a_seam(sample: dict[str, Tile]) -> None:
    strips = []
    for tile in sample.values():
        for rotation in ROTATIONS:
            for side, kind in enumerate(tile.at(rotation).sides):
                if kind == "v":
                    strips.append((side, strip(image(tile, rotation), side, 0)))
    assert {side for side, _ in strips} == {0, 1, 2, 3}
    for side, one in strips:
        assert near(one[50], WATER)
        for other_side, other in strips:
            if other_side == (side + 2) % 4:
                worst, total = difference(one, other)
                assert worst <= LARGEST and total <= ALL_IN_ALL


def test_four_cities_leave_a_field_between_them(sample: dict[str, Tile]) -> None:
    middle = image(sample["four-cities"], 0).crop((45, 45, 55, 55))
    red, green, _ = ImageStat.Stat(middle).mean
    assert green > red
