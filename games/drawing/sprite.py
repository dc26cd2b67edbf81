"""The tiles of each set in a file of symbols, which browsers cache for ever under its hashed name.

A page loads the files of the sets in play. That of the base game also holds the meeples of all seats, and the
other symbols of every board; others hold the tokens of their set. ``python manage.py sprite`` writes them,
together with ``generated.json``: the files' names, and the points of meeples on every tile, which take too
long to compute for a page. A test compares all of it with the drawing code.

One more small file has a picture of each set, for pages that list or name sets.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from games.rules.geometry import ROTATIONS
from games.rules.ruleset import EXPANSIONS
from games.rules.tiles import Tile, get_tile, list_sets_with_tiles, load_tile_set

from . import palette as p
from .art import CityArt
from .buildings import buildings
from .curves import Point
from .decor import decor, variants
from .expansions import CITIES, PICTURES, TOKENS
from .figures import draw_figures
from .ground import ground
from .places import places
from .shapes import segment_shapes

BASE = "base"
CITY_SYMBOL = "carcassonne"
"""Symbol of everything inside the walls of a city with quarters."""
OF_SETS = "sets"
"""Name of the file with the pictures of the sets."""
ON_THE_COVER = "base.D"
"""The tile that represents the base game, and a set that has neither tiles nor a picture."""
GENERATED = Path(__file__).with_name("generated.json")


def tiles(names: Collection[str] = ()) -> Iterator[Tile]:
    """Yield every tile of the rules, or of the sets with these *names*."""
    for name in names or list_sets_with_tiles():
        yield from load_tile_set(name).tiles


def rotations(tile: Tile) -> tuple[int, ...]:
    """The rotations in which *tile* may lie: a block is never turned."""
    return (0,) if tile.block else ROTATIONS


@cache
def build_symbol_name(tile_id: str, rotation: int) -> str:
    """Return the name of the symbol of a tile in a rotation: ``base.P`` at 90 is ``P1``. Tiles of other sets
    keep the set's name as a prefix."""
    return f"{tile_id.removeprefix('base.')}{rotation // 90}"


@cache
def decor_symbol(tile_id: str, rotation: int, copy: int) -> str:
    """The name of the symbol that decorates the *copy*-th copy of a tile: ``P1a``, ``P1b`` or ``P1c``."""
    return build_symbol_name(tile_id, rotation) + "abc"[copy % variants(get_tile(tile_id))]


def segment_symbol(tile_id: str, index: int) -> str:
    """Return the name of the shape of one segment, in rotation 0."""
    return f"{tile_id.removeprefix('base.')}-{index}"


def quarter_symbol(name: str) -> str:
    """Return the name of the shape of a quarter."""
    return f"quarter-{name}"


def build(name: str) -> str:
    """The sprite of the set called *name* as SVG."""
    parts = _common() if name == BASE else []
    parts += [f'<g id="{token}">{draw()}</g>' for token, draw in TOKENS.get(name, {}).items()]
    if name in CITIES:
        parts += _draw_city(CITIES[name])
    for tile in load_tile_set(name).tiles:
        parts += [
            shape.replace("<path", f'<path id="{segment_symbol(tile.id, index)}"', 1)
            for index, shape in segment_shapes(tile).items()
        ]
        for rotation in rotations(tile):
            parts.append(f'<g id="{build_symbol_name(tile.id, rotation)}">{ground(tile, rotation)}</g>')
            for copy in range(variants(tile)):
                parts.append(
                    f'<g id="{decor_symbol(tile.id, rotation, copy)}">{decor(tile, rotation, copy)}</g>'
                )
    drawn = "".join(parts)
    return p.variable(
        f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{_draw_used_symbols(drawn)}{drawn}</defs></svg>'
    )


def build_pictures() -> str:
    """Return the SVG with one picture for each set that can be played, a tile, under the name of the set."""
    drawn = "".join(f'<g id="{name}">{_picture(name)}</g>' for name in (BASE, *EXPANSIONS))
    return p.variable(
        f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{_draw_used_symbols(drawn)}{drawn}</defs></svg>'
    )


def _picture(name: str) -> str:
    own = load_tile_set(name).tiles if name in list_sets_with_tiles() and name != BASE else ()
    if name in CITIES:
        return _corner_of_block(own, CITIES[name])
    tile = get_tile(PICTURES.get(name) or (own[0].id if own else ON_THE_COVER))
    return ground(tile, 0) + decor(tile, 0, 0)


def _corner_of_block(tiles: Iterable[Tile], city: CityArt) -> str:
    """The four north-western tiles of the block of *city*, half as large, and what lies inside the walls."""
    drawn = [
        f'<g transform="translate({100 * tile.block[0]} {100 * tile.block[1]})">{ground(tile, 0)}'
        f"{decor(tile, 0, 0)}</g>"
        for tile in tiles
        if tile.block and max(tile.block) < 2
    ]
    return f'<g transform="scale(.5)">{"".join(drawn)}{city.draw()}</g>'


def _common() -> list[str]:
    """The symbols of every board, whatever its sets: the meeples, and the market square."""
    return [draw_figures(), f'<g id="square">{buildings()["square"]}</g>']


def _draw_city(city: CityArt) -> list[str]:
    """The inside of *city*, and the shape of each quarter to highlight."""
    shapes = [
        f'<path id="{quarter_symbol(name)}" d="{outline}" stroke="none"/>'
        for name, outline in city.outlines.items()
    ]
    return [f'<g id="{CITY_SYMBOL}">{city.draw()}</g>', *shapes]


def _draw_used_symbols(drawn: str) -> str:
    """The buildings and signs that *drawn* refers to, and those that they are made of."""
    symbols: dict[str, str] = {}
    todo = [drawn]
    while todo:
        for name in re.findall(r'href="#([^"]+)"', todo.pop()):
            if name not in symbols:
                symbols[name] = f'<g id="{name}">{buildings()[name]}</g>'
                todo.append(symbols[name])
    return "".join(symbols[name] for name in sorted(symbols))


def file_name(name: str, svg: str) -> str:
    """Return the name of the sprite of a set under ``static/``, with a hash of its content."""
    prefix = "" if name == OF_SETS else "tiles-"
    return f"games/{prefix}{name}-{hashlib.sha256(svg.encode()).hexdigest()[:10]}.svg"


def generated_data(sprites: Mapping[str, str]) -> dict[str, Any]:
    """Return the content of ``generated.json`` for *sprites*, by set."""
    spots: dict[str, list[dict[str, list[int]]]] = {}
    guests: dict[str, list[dict[str, list[int]]]] = {}
    for tile in tiles(sprites):
        where = [places(tile, rotation) for rotation in rotations(tile)]
        spots[tile.id] = [_round_points(places.spots) for places in where]
        if where[0].guests:
            guests[tile.id] = [_round_points(places.guests) for places in where]
    names = {name: file_name(name, svg) for name, svg in sprites.items()}
    pictures = {OF_SETS: file_name(OF_SETS, build_pictures())}
    return {"sprites": names, "pictures": pictures, "spots": spots, "guests": guests}


def _round_points(points: Mapping[int, Point]) -> dict[str, list[int]]:
    return {str(index): [round(x), round(y)] for index, (x, y) in sorted(points.items())}


def write(static: Path, names: Collection[str] = ()) -> tuple[Path, ...]:
    """Write the sprites under *static*, delete older versions, and update ``generated.json``. With *names* of
    sets only theirs, which is quicker; the rest stays as it is."""
    sprites = {name: build(name) for name in names or list_sets_with_tiles()}
    data = generated_data(sprites)
    if names:
        data = {
            key: _by_set({**_without(names, load_generated().get(key, {})), **fresh})
            for key, fresh in data.items()
        }
    files = {**data["sprites"], **data["pictures"]}
    for old in (static / "games").glob("*.svg"):
        if f"games/{old.name}" not in files.values():
            old.unlink()
    paths = []
    for name, svg in {**sprites, OF_SETS: build_pictures()}.items():
        paths.append(static / files[name])
        paths[-1].parent.mkdir(parents=True, exist_ok=True)
        paths[-1].write_text(svg, encoding="utf-8")
    parts = ",\n".join(f"{json.dumps(key)}: {{\n{_lines(value)}\n}}" for key, value in data.items())
    GENERATED.write_text(f"{{{parts}}}\n", encoding="utf-8")
    return tuple(paths)


def _set_of(key: str) -> str:
    return key.partition(".")[0]


def _without(names: Collection[str], values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if _set_of(key) not in names}


def _by_set(values: Mapping[str, Any]) -> dict[str, Any]:
    """*values* by set, and within one as they come."""
    return dict(sorted(values.items(), key=lambda item: _set_of(item[0])))


def _lines(values: Mapping[str, Any]) -> str:
    """*values* as JSON, one to a line."""
    return ",\n".join(
        f"  {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in values.items()
    )


@cache
def load_generated() -> dict[str, Any]:
    """Return the content of ``generated.json``, cached."""
    data: dict[str, Any] = json.loads(GENERATED.read_text(encoding="utf-8"))
    return data
