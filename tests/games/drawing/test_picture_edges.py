"""Tests that neighbouring tiles join without a seam, by the pixels along every legal pair of edges."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest
from PIL import Image

from games.drawing.decor import variants
from games.drawing.picture import build_tile_image
from games.drawing.sprite import rotations, tiles
from games.rules.tiles import Tile

BLOCK = {tile.block: tile for tile in tiles() if tile.block}
"""Tiles of the Count's block by column and row; sides between them follow no rule but their own."""

Strip = tuple[tuple[int, int, int], ...]

LARGEST = 50
"""Maximum difference of a channel of a pixel, of 255: smoothing of slanted lines, no more."""
ALL_IN_ALL = 200
"""Maximum sum of the differences of all pixels of an edge."""


def strip(image: Image.Image, side: int, depth: int) -> Strip:
    """The pixels along one side of *image*, *depth* pixels inside, from west to east or north to south."""
    width = image.width
    far = width - 1 - depth
    pixels = image.load()
    assert pixels is not None
    return tuple(
        pixels[((place, depth), (far, place), (place, far), (depth, place))[side]] for place in range(width)
    )


def edges(width: int, depth: int) -> dict[tuple[int, str], set[Strip]]:
    """The strips of pixels that tiles show, *depth* pixels inside, by side and kind of edge."""
    strips: dict[tuple[int, str], set[Strip]] = defaultdict(set)
    for tile in tiles():
        for rotation, copy in product(rotations(tile), range(variants(tile))):
            image = build_tile_image(tile.id, rotation, copy, width)
            for side, kind in enumerate(tile.at(rotation).sides):
                if tile.block is None or beside(tile, side) not in BLOCK:
                    strips[side, kind].add(strip(image, side, depth))
    return strips


def beside(tile: Tile, side: int) -> tuple[int, int]:
    """The column and row beside a tile of the Count's block."""
    assert tile.block is not None
    return tile.block[0] + (0, 1, 0, -1)[side], tile.block[1] + (-1, 0, 1, 0)[side]


def difference(one: Strip, other: Strip) -> tuple[int, int]:
    """The largest difference of two adjacent pixels, and the sum of all."""
    each = [max(abs(a - b) for a, b in zip(p, q, strict=True)) for p, q in zip(one, other, strict=True)]
    return max(each), sum(each)


@pytest.mark.parametrize("width", [60, 100])
def test_every_legal_pair_of_edges_joins_without_a_seam(width: int) -> None:
    shown = edges(width, depth=0)
    kinds = {kind for _, kind in shown}
    assert kinds == {"c", "r", "f", "v"}
    for kind, (side, opposite) in product(sorted(kinds), ((1, 3), (2, 0))):
        pairs = list(product(shown[side, kind], shown[opposite, kind]))
        assert pairs
        for one, other in pairs:
            worst, total = difference(one, other)
            assert worst <= LARGEST, (kind, side)
            assert total <= ALL_IN_ALL, (kind, side)


def test_lines_cross_an_edge_at_a_right_angle() -> None:
    """Three pixels inside, roads and walls are still where they cross the edge: no kink."""
    shown, inside = edges(100, depth=0), edges(100, depth=3)
    for (side, kind), strips in inside.items():
        if kind in "fv":
            continue
        reference = next(iter(shown[side, kind]))
        for strip in strips:
            assert abs(_middle(strip, kind) - _middle(reference, kind)) <= 1


def _middle(strip: Strip, kind: str) -> float:
    """The middle of the pixels that aren't green; beside a road, of its light body alone."""
    places = [place for place, (red, green, _) in enumerate(strip) if red > green + 8]
    assert places, kind
    return (places[0] + places[-1]) / 2


def test_rivers_cross_an_edge_at_a_right_angle() -> None:
    for (_, kind), strips in edges(100, depth=3).items():
        for strip in strips if kind == "v" else ():
            water = [place for place, (red, _, blue) in enumerate(strip) if blue > red + 40]
            assert abs((water[0] + water[-1]) / 2 - 49.5) <= 1 and len(water) in range(13, 17)


def test_a_difference_is_seen() -> None:
    road = next(iter(edges(60, depth=0)[1, "r"]))
    assert difference(road, (*road[2:], *road[:2]))[0] > LARGEST
