"""The block of tiles on which a city with quarters lies: where it is on a board, and the city's art."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.rules.tiles import get_tile

from .art import CityArt
from .curves import Point
from .expansions import CITIES
from .pieces import LaidTile


class CityBlock(NamedTuple):
    """A block on the board: the set of its city, and the cell of its north-western tile."""

    set_name: str
    x: int
    y: int

    @property
    def city(self) -> CityArt:
        return CITIES[self.set_name]

    def move(self, point: Point) -> Point:
        """Return *point* of the block as one of the board."""
        return 100 * self.x + point[0], 100 * self.y + point[1]


def find_block(laid: Iterable[LaidTile]) -> CityBlock | None:
    """The block of a city, if it lies among *laid*."""
    for tile in laid:
        if at := get_tile(tile.tile).block:
            return CityBlock(tile.tile.partition(".")[0], tile.x - at[0], tile.y - at[1])
    return None


def get_block(laid: Iterable[LaidTile]) -> CityBlock:
    """The block of a city among *laid*. ``KeyError`` if it does not lie there."""
    block = find_block(laid)
    if block is None:
        raise KeyError("no quarters on this board")
    return block
