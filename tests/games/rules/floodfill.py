"""Second implementation of placing and connection, slow and simple, to compare with the engine.

It uses nothing of ``games.rules``: tiles are read from the table, and features are found anew by flood fill
over the whole board each time.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import games.rules

RIM = ["NNW", "N", "NNE", "ENE", "E", "ESE", "SSE", "S", "SSW", "WSW", "W", "WNW"]
BESIDE = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
ACROSS = {"NNW": "SSW", "N": "S", "NNE": "SSE", "ENE": "WNW", "E": "W", "ESE": "WSW"}
ACROSS |= {there: here for here, there in ACROSS.items()}
SIDE_OF = {name: "NESW"[index // 3] for index, name in enumerate(RIM)}
RING = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]

Tiles = dict[tuple[int, int], tuple[str, int]]
"""Tile and rotation by place."""


class Part(NamedTuple):
    """Piece of terrain on a tile in its rotation."""

    kind: str
    ports: frozenset[str]
    shields: int
    cities: tuple[int, ...]  # of a field: which of the tile's cities it borders, by their order in the table


class Node(NamedTuple):
    """The *number*-th part of the tile at *x*, *y*."""

    x: int
    y: int
    number: int


class Found(NamedTuple):
    """A feature, found by flood fill."""

    kind: str
    nodes: frozenset[Node]
    tiles: frozenset[tuple[int, int]]
    open_ends: int
    shields: int

    @property
    def complete(self) -> bool:
        return self.open_ends == 0 and self.kind != "field"


@cache
def table() -> dict[str, dict[str, Any]]:
    """The base tiles in the table, by id."""
    path = Path(games.rules.__file__).parent / "data" / "base.toml"
    return {facts["id"]: facts for facts in tomllib.loads(path.read_text())["tile"]}


@cache
def parts(id: str, rotation: int) -> tuple[Part, ...]:
    """The parts of the tile after rotation: cities first, then roads, fields, monastery, garden."""

    def turned(names: Iterable[str]) -> frozenset[str]:
        return frozenset(RIM[(RIM.index(name) + rotation // 30) % 12] for name in names)

    facts = table()[id]
    parts_of_tile = [
        Part("city", turned(fact["edges"]), fact["shields"], ()) for fact in facts.get("cities", [])
    ]
    parts_of_tile += [Part("road", turned(fact["edges"]), 0, ()) for fact in facts.get("roads", [])]
    for fact in facts.get("fields", []):
        parts_of_tile.append(Part("field", turned(fact["sides"].split()), 0, tuple(fact.get("cities", ()))))
    parts_of_tile += [Part(kind, frozenset(), 0, ()) for kind in ("monastery", "garden") if facts.get(kind)]
    return tuple(parts_of_tile)


@cache
def sides(id: str, rotation: int) -> str:
    """The kinds of the four sides, north first."""
    kinds = {name: part.kind[0] for part in parts(id, rotation) for name in part.ports if len(name) == 1}
    return "".join(kinds.get(side, "f") for side in "NESW")


def touching(tiles: Tiles, node: Node) -> Iterator[tuple[str, Node | None]]:
    """Yield the name of each port of *node* with the node across, or ``None`` if no tile lies there."""
    part = parts(*tiles[node.x, node.y])[node.number]
    for port in part.ports:
        dx, dy = BESIDE[SIDE_OF[port]]
        x, y = node.x + dx, node.y + dy
        if (x, y) not in tiles:
            yield port, None
            continue
        for number, other in enumerate(parts(*tiles[x, y])):
            if ACROSS[port] in other.ports:
                assert other.kind == part.kind, "the sides differ"
                yield port, Node(x, y, number)


def feature_of(tiles: Tiles, node: Node) -> Found:
    """The feature to which *node* belongs."""
    first = parts(*tiles[node.x, node.y])[node.number]
    if first.kind in ("monastery", "garden"):
        missing = sum((node.x + x, node.y + y) not in tiles for x, y in RING)
        return Found(first.kind, frozenset([node]), frozenset([node[:2]]), missing, 0)
    seen, waiting, open_ports = {node}, [node], set()
    while waiting:
        here = waiting.pop()
        for port, there in touching(tiles, here):
            if there is None:
                open_ports.add((here, port))
            elif there not in seen:
                seen.add(there)
                waiting.append(there)
    shields = sum(parts(*tiles[one.x, one.y])[one.number].shields for one in seen)
    return Found(first.kind, frozenset(seen), frozenset(one[:2] for one in seen), len(open_ports), shields)


def features(tiles: Tiles) -> list[Found]:
    """Every feature on the board."""
    result: list[Found] = []
    done: set[Node] = set()
    for (x, y), turned in tiles.items():
        for number in range(len(parts(*turned))):
            if Node(x, y, number) not in done:
                feature = feature_of(tiles, Node(x, y, number))
                done |= feature.nodes
                result.append(feature)
    return result


def touched_cities(tiles: Tiles, field: Found) -> list[Found]:
    """The cities along whose walls *field* lies, each once."""
    cities: list[Found] = []
    for node in field.nodes:
        for number in parts(*tiles[node.x, node.y])[node.number].cities:
            city = feature_of(tiles, Node(node.x, node.y, number))
            if city not in cities:
                cities.append(city)
    return cities


def node_at(tiles: Tiles, x: int, y: int, on: str, side: str | None) -> Node:
    """The node with the notation *on* and *side*."""
    (number,) = (
        number
        for number, part in enumerate(parts(*tiles[x, y]))
        if part.kind == on and (side is None or side in part.ports)
    )
    return Node(x, y, number)


def name(part: Part) -> tuple[str, str | None]:
    """The kind of *part* and the first of its sides, clockwise from the north-west."""
    return part.kind, min(part.ports, key=RIM.index) if part.ports else None


def placements(tiles: Tiles, id: str) -> list[tuple[int, int, int]]:
    """All legal placements of the tile: every cell near the board tried in every rotation."""
    xs, ys = [x for x, _ in tiles], [y for _, y in tiles]
    options = []
    for x in range(min(xs) - 2, max(xs) + 3):
        for y in range(min(ys) - 2, max(ys) + 3):
            if (x, y) in tiles:
                continue
            for rotation in (0, 90, 180, 270):
                mine = sides(id, rotation)
                pairs = []
                for index, (dx, dy) in enumerate(BESIDE.values()):
                    if (x + dx, y + dy) in tiles:
                        theirs = sides(*tiles[x + dx, y + dy])
                        pairs.append((mine[index], theirs[(index + 2) % 4]))
                if pairs and all(one == other for one, other in pairs):
                    options.append((x, y, rotation))
    return options


def turns(
    tiles: Tiles, meeples: set[Node], id: str, *, followers: int, farmers: bool = True
) -> list[tuple[int, int, int, tuple[str, str | None] | None]]:
    """All legal turns with the tile: its placement, and the spot of a follower or ``None``.

    *meeples* are the occupied nodes; *followers* is the supply of the seat on turn.
    """
    options: list[tuple[int, int, int, tuple[str, str | None] | None]] = []
    for x, y, rotation in placements(tiles, id):
        options.append((x, y, rotation, None))
        after = {**tiles, (x, y): (id, rotation)}
        for number, part in enumerate(parts(id, rotation)):
            if not followers or part.kind == "garden" or (part.kind == "field" and not farmers):
                continue
            if not feature_of(after, Node(x, y, number)).nodes & meeples:
                options.append((x, y, rotation, name(part)))
    return options
