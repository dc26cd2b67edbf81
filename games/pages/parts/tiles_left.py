"""The tiles still to come: each kind as a miniature, with how many of how many."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from django.utils.translation import ngettext

from games import words
from games.pages.scene import Scene
from games.pages.scene.picture import Miniature, build_miniature
from games.rules import get_tile
from games.rules.forecast import count_coming_tiles
from games.rules.tiles import SURROUNDED


class TilesLeft(NamedTuple):
    """The tiles still to come, and the edges of the table."""

    kinds: tuple[Kind, ...]
    number: str  # number of tiles, in words
    edges: str  # of a limited table


class Kind(NamedTuple):
    """One kind of tile: how many are still to come, of how many in the game."""

    tile: Miniature
    left: int
    all: int


def build_tiles_left(scene: Scene) -> TilesLeft:
    """The tiles still to come in the game of *scene*."""
    return TilesLeft(
        list_kinds_left(scene), format_count_left(scene.state.left), words.describe_edges(scene.state)
    )


def list_kinds_left(scene: Scene) -> tuple[Kind, ...]:
    """List the tiles still to come: rivers first, then by their sides."""
    copies = scene.state.rules.composition
    left = count_coming_tiles(scene.state)
    return tuple(Kind(build_miniature(id), left[id], copies[id]) for id in sorted(left, key=_order))


def _order(id: str) -> tuple[bool, int, int, bool, str]:
    """Rivers, then cities by size, then roads, with monasteries last of what looks alike."""
    this = get_tile(id)
    sides = Counter(this.sides)
    building = any(segment.kind in SURROUNDED for segment in this.segments)
    return "v" not in sides, -sides["c"], -sides["r"], building, id


def format_count_left(count: int) -> str:
    """Say how many tiles are to come, in words."""
    return ngettext("{n} tile to come", "{n} tiles to come", count).format(n=count)
