"""All tiles, meeples and emblems in one file of symbols, which browsers keep for ever under its hashed name.

``python manage.py sprite`` writes it, together with ``generated.json``: the file's name, and where meeples
stand on every tile, which takes too long to work out on a page. A test compares both with the drawing code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from games.rules.geometry import ROTATIONS
from games.rules.tiles import Tile, sets_with_tiles, tile_set
from games.rules.tiles import tile as tile_called

from .buildings import buildings
from .decor import decor, variants
from .figures import figures
from .ground import ground
from .places import places
from .shapes import segment_shapes

GENERATED = Path(__file__).with_name("generated.json")


def tiles() -> Iterator[Tile]:
    """Every tile that the rules know."""
    for name in sets_with_tiles():
        yield from tile_set(name).tiles


def symbol(tile_id: str, rotation: int) -> str:
    """The name of the symbol that shows a tile in a rotation: ``base.P`` at 90 is ``P1``. Other sets than
    the base game keep their name in front."""
    return f"{tile_id.removeprefix('base.')}{rotation // 90}"


def decor_symbol(tile_id: str, rotation: int, copy: int) -> str:
    """The name of the symbol that decorates the *copy*-th copy of a tile: ``P1a``, ``P1b`` or ``P1c``."""
    return symbol(tile_id, rotation) + "abc"[copy % variants(tile_called(tile_id))]


def segment_symbol(tile_id: str, index: int) -> str:
    """The name of the shape of one segment, as the tile lies in rotation 0."""
    return f"{tile_id.removeprefix('base.')}-{index}"


def build() -> str:
    """The sprite as SVG."""
    parts = [figures(), buildings()]
    for tile in tiles():
        parts += [
            shape.replace("<path", f'<path id="{segment_symbol(tile.id, index)}"', 1)
            for index, shape in segment_shapes(tile).items()
        ]
        for rotation in ROTATIONS:
            parts.append(f'<g id="{symbol(tile.id, rotation)}">{ground(tile, rotation)}</g>')
            for copy in range(variants(tile)):
                parts.append(
                    f'<g id="{decor_symbol(tile.id, rotation, copy)}">{decor(tile, rotation, copy)}</g>'
                )
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{"".join(parts)}</defs></svg>'


def file_name(svg: str) -> str:
    """The name of the sprite under ``static/``, with a hash of what is in it."""
    return f"games/tiles-{hashlib.sha256(svg.encode()).hexdigest()[:10]}.svg"


def generated_data(svg: str) -> dict[str, Any]:
    """What ``generated.json`` holds for the sprite *svg*."""
    spots: dict[str, list[dict[str, list[int]]]] = {}
    for tile in tiles():
        spots[tile.id] = [
            {
                str(index): [round(x), round(y)]
                for index, (x, y) in sorted(places(tile, rotation).spots.items())
            }
            for rotation in ROTATIONS
        ]
    return {"sprite": file_name(svg), "spots": spots}


def write(static: Path) -> Path:
    """Write the sprite under *static*, drop what older versions left, and refresh ``generated.json``."""
    svg = build()
    data = generated_data(svg)
    path = static / data["sprite"]
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob("tiles-*.svg"):
        old.unlink()
    path.write_text(svg, encoding="utf-8")
    lines = ",\n".join(
        f"  {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}"
        for key, value in data["spots"].items()
    )
    GENERATED.write_text(
        f'{{"sprite": {json.dumps(data["sprite"])},\n "spots": {{\n{lines}\n}}}}\n', encoding="utf-8"
    )
    return path


@cache
def generated() -> dict[str, Any]:
    """``generated.json`` as read once."""
    data: dict[str, Any] = json.loads(GENERATED.read_text(encoding="utf-8"))
    return data
