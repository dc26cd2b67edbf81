"""Tests of the tile tables in ``docs/rules`` against the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from games.rules.geometry import PORTS
from games.rules.tiles import Tile, get_tile, load_tile_set
from tests.cases import for_each

DOCS = Path(__file__).parents[3] / "docs" / "rules"
SIDES = re.compile(r"[cfrv]{4}")
NAME = re.compile(r"`?([a-z][a-z0-9-]*\.[a-zA-Z0-9-]+|[A-X])\b")


class DocumentedTile(NamedTuple):
    """Row of a table: a tile's id, its four sides, and its cells."""

    id: str
    sides: str
    cells: list[str]


def documented_tiles() -> Iterator[DocumentedTile]:
    for path in sorted(DOCS.glob("*.md")):
        for line in path.read_text().splitlines():
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            sides = [cell for cell in cells if SIDES.fullmatch(cell)]
            name = NAME.match(cells[0]) if cells else None
            if sides and name:
                id = name[1] if "." in name[1] else f"base.{name[1]}"
                yield DocumentedTile(id, sides[0], cells)


DOCUMENTED = list(documented_tiles())
each_tile = for_each("documented", DOCUMENTED)


def touched_sides(tile: Tile, kind: str) -> set[frozenset[str]]:
    """For each segment of *kind*, the sides of the tile that it touches."""
    return {
        frozenset(PORTS[port] for port in segment.ports if PORTS[port] in "NESW")
        for segment in tile.segments
        if segment.kind == kind
    }


def test_every_tile_of_the_tables_is_read() -> None:
    assert len(DOCUMENTED) == 62
    assert len({each.id for each in DOCUMENTED}) == len(DOCUMENTED)


@each_tile
def test_sides_are_those_of_the_catalogue(documented: DocumentedTile) -> None:
    assert get_tile(documented.id).at(0).sides == documented.sides


@each_tile
def test_a_city_or_road_touches_the_sides_that_its_row_names(documented: DocumentedTile) -> None:
    text = documented.cells[-1]
    for kind in ("city", "road"):
        for sides in re.findall(rf"\b{kind} ([NESW](?:–[NESW])*)(?![NESW])\b", text):
            assert frozenset(sides.split("–")) in touched_sides(get_tile(documented.id), kind), (kind, sides)


@each_tile
def test_a_field_has_the_half_sides_that_its_row_names(documented: DocumentedTile) -> None:
    fields = {
        frozenset(PORTS[port] for port in segment.ports)
        for segment in get_tile(documented.id).segments
        if segment.kind == "field"
    }
    for ports in re.findall(r"\{([NESW]{3}(?:,[NESW]{3})*)\}", documented.cells[-1]):
        assert frozenset(ports.split(",")) in fields, ports


def test_the_base_game_has_as_many_of_each_as_its_table_says() -> None:
    counts = load_tile_set("base").copies("C1")
    rows = [each for each in DOCUMENTED if each.id.startswith("base.")]
    assert {each.id: int(each.cells[1].split()[0]) for each in rows} == {
        each.id: counts[each.id] for each in rows
    }
