"""Points of figures on a turned tile, for spots given by a kind of feature and a side."""

from __future__ import annotations

from games.rules.tiles import get_tile

from .sprite import load_generated


def segment_index(tile: str, rotation: int, on: str, side: str | None) -> int:
    """The index of the segment of *tile* that a spot names; ``KeyError`` if there is none."""
    return get_tile(tile).at(rotation).spots[on, side]


def spot_point(tile: str, rotation: int, on: str, side: str | None) -> tuple[int, int]:
    """Return the point of a meeple on that spot, in units of the turned tile; ``KeyError`` if there is
    none."""
    index = segment_index(tile, rotation, on, side)
    x, y = load_generated()["spots"][tile][rotation // 90][str(index)]
    return x, y


def guest_point(tile: str, rotation: int, on: str, side: str | None) -> tuple[int, int]:
    """Return the point of a figure of no seat beside the meeple on that spot; ``KeyError`` if there is
    none."""
    index = segment_index(tile, rotation, on, side)
    x, y = load_generated()["guests"][tile][rotation // 90][str(index)]
    return x, y
