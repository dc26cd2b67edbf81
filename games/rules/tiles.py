"""Tiles: the facts printed on them, and what follows from these in each of the four rotations.

The tables in ``data/`` are one TOML file per set, in the format that ``data/README.md`` explains. They are
read once per process. As a tile never changes, everything that can be is precomputed here: its rotations, the
ports of its segments, and in which surroundings it fits.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .geometry import FACING, PORT, PORTS, ROTATIONS, rotate_side

DATA = Path(__file__).parent / "data"

CITY, ROAD, FIELD, MONASTERY, SHRINE, GARDEN, RIVER = (
    "city",
    "road",
    "field",
    "monastery",
    "shrine",
    "garden",
    "river",
)
FOLLOWER = "follower"
"""The figure that every player has; others come with modules."""

SURROUNDED = frozenset({MONASTERY, SHRINE, GARDEN})
"""Kinds that are completed by the eight spaces around them instead of by closing ends."""

SIDE_CODE: Mapping[str, int] = {"c": 1, "r": 2, "f": 3, "v": 4, "-": 5}
"""A side's kind as three bits of a need; 0 asks for nothing. ``-`` is inside the walls of Carcassonne."""

MAX_SEGMENTS = 16
"""A segment on the board has the code ``cell * MAX_SEGMENTS + index``."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of terrain on one tile, as printed (rotation 0)."""

    index: int
    kind: str
    ports: tuple[int, ...]  # of the rim, clockwise; empty for what lies inside the tile
    shields: int = 0
    touches: tuple[int, ...] = ()  # of a field: indexes of the city segments along whose wall it lies
    inner: str = ""  # of a field enclosed inside the tile: its name, "I" or "II"
    marks: tuple[str, ...] = ()  # other things drawn on it: inn, cathedral, a kind of goods, pig herd …


class Deploy(NamedTuple):
    """A meeple put on a spot of the tile just placed."""

    meeple: str
    on: str
    side: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Lie:
    """A segment turned with its tile, as it lies on the board."""

    index: int
    kind: str
    links: tuple[
        tuple[int, int], ...
    ]  # (port, step to the port beyond); one per edge, or per half of a field
    mask: int  # the ports of the links, as bits
    sides: tuple[str, ...]  # every name by which a spot may call it; () where it needs none
    segment: Segment

    @property
    def side(self) -> str | None:
        """The side by which events and lists name it: the first one clockwise from the north-west."""
        return self.sides[0] if self.sides else None


class Rotated:
    """A tile in one rotation. Made once per tile and rotation; compare by identity.

    >>> turned = get_tile("base.D").at(90)
    >>> turned, turned.sides
    (base.D r90, 'rcrf')
    >>> [(lie.kind, lie.side) for lie in turned.lies]
    [('city', 'E'), ('road', 'N'), ('field', 'NNE'), ('field', 'NNW')]
    """

    __slots__ = ("code", "id", "lies", "rotation", "sides", "spots", "surrounded", "tile")

    def __init__(self, tile: Tile, rotation: int) -> None:
        turns = rotation // 90
        self.tile = tile
        self.id = tile.id
        self.rotation = rotation
        self.sides = tile.sides[-turns:] + tile.sides[:-turns] if turns else tile.sides
        self.code = sum(SIDE_CODE[kind] << 3 * side for side, kind in enumerate(self.sides))
        self.lies = tuple(_lie(segment, turns, self.sides) for segment in tile.segments)
        self.surrounded = tuple(lie.index for lie in self.lies if lie.kind in SURROUNDED)
        self.spots: dict[tuple[str, str | None], int] = {
            (lie.kind, side): lie.index for lie in self.lies for side in lie.sides or (None,)
        }

    def __repr__(self) -> str:
        return f"{self.id} r{self.rotation}"


Shape = tuple[str, tuple[tuple[str, tuple[int, ...], str], ...]]
"""The sides of a tile, and the kind, ports and name inside the tile of each segment: all that decides where
it may lie and where figures may stand on it. Many tiles of different sets have the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """One kind of tile: immutable facts. Compare by identity; ``get_tile(id)`` gives the only one."""

    id: str
    sides: str  # kinds of the four sides, north first: c, r, f, v (river) or - (wall of Carcassonne)
    segments: tuple[Segment, ...]
    start: bool = False
    block: tuple[int, int] | None = None  # column and row in the block of the Count
    marks: frozenset[str] = frozenset()  # of the whole tile: volcano, carcassonne
    rotations: tuple[Rotated, ...] = field(init=False, repr=False)
    shape: Shape = field(init=False, repr=False)
    _fits: dict[int, tuple[Rotated, ...]] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rotations", tuple(Rotated(self, rotation) for rotation in ROTATIONS))
        segments = tuple((segment.kind, segment.ports, segment.inner) for segment in self.segments)
        object.__setattr__(self, "shape", (self.sides, segments))

    def at(self, rotation: int) -> Rotated:
        """The tile turned clockwise by *rotation* degrees. ``KeyError`` if that is not a quarter turn.

        >>> get_tile("base.E").at(90), get_tile("base.E").at(90).sides
        (base.E r90, 'fcff')
        """
        if rotation not in ROTATIONS:
            raise KeyError(rotation)
        return self.rotations[rotation // 90]

    def fits(self, need: int) -> tuple[Rotated, ...]:
        """The rotations that match *need*, three bits for each side that meets a tile (BASE-9).

        >>> need = SIDE_CODE["c"] << 3 * 2  # a city in the south
        >>> get_tile("base.E").fits(need)
        (base.E r180,)
        >>> get_tile("base.X").fits(need)
        ()
        """
        try:
            return self._fits[need]
        except KeyError:
            mask = _compute_need_mask(need)
            rotations = tuple([turned for turned in self.rotations if turned.code & mask == need])
            self._fits[need] = rotations
            return rotations


@cache
def _compute_need_mask(need: int) -> int:
    """The bits of the sides for which *need* requires something."""
    return sum(7 << 3 * side for side in range(4) if need >> 3 * side & 7)


def _lie(segment: Segment, turns: int, sides: str) -> Lie:
    """*segment* after *turns* quarter turns, on a tile with *sides*."""
    ports = tuple(sorted(rotate_side(port, turns) for port in segment.ports))
    kept = tuple(port for port in ports if not _spare(port, ports, sides))
    names = tuple(PORTS[port] for port in ports)
    if segment.inner:
        names = (segment.inner,)
    return Lie(
        index=segment.index,
        kind=segment.kind,
        links=tuple((port, FACING[port]) for port in kept),
        mask=sum(1 << port for port in kept),
        sides=names,
        segment=segment,
    )


def _spare(port: int, ports: tuple[int, ...], sides: str) -> bool:
    """Return whether *port* is redundant: on an edge that is all field, the half to the north or west is
    enough, as both halves are one field on both tiles."""
    side, place = divmod(port, 3)
    if sides[side] != "f" or place == 1:
        return False
    spare = 2 if side < 2 else 0  # clockwise, the eastern or southern half comes last on N and E
    return place == spare and side * 3 + 2 - spare in ports


def _tile(facts: Mapping[str, Any]) -> Tile:
    segments: list[Segment] = []

    def add(kind: str, ports: Iterable[int] = (), **more: Any) -> None:
        segments.append(Segment(index=len(segments), kind=kind, ports=tuple(sorted(ports)), **more))

    for city in facts.get("cities", ()):
        marks = tuple(
            mark for mark in ("cathedral" if city.get("cathedral") else "", city.get("goods", "")) if mark
        )
        marks += _marks(city)
        add(CITY, (PORT[edge] for edge in city["edges"]), shields=city["shields"], marks=marks)
    for road in facts.get("roads", ()):
        marks = ("inn",) if road.get("inn") else ()
        add(ROAD, (PORT[edge] for edge in road["edges"]), marks=marks + _marks(road))
    for land in facts.get("fields", ()):
        add(
            FIELD,
            (PORT[half] for half in land["sides"].split()),
            touches=tuple(land.get("cities", ())),
            inner=land.get("inner", ""),
            marks=tuple(mark for mark in ("carcassonne", "pig_herd") if land.get(mark)) + _marks(land),
        )
    for kind in (MONASTERY, SHRINE, GARDEN):
        if facts.get(kind):
            add(kind)
    if "river" in facts:
        add(RIVER, (PORT[edge] for edge in facts["river"]))
    if len(segments) > MAX_SEGMENTS:
        raise ValueError(f"{facts['id']}: more than {MAX_SEGMENTS} segments")
    block = facts.get("block")
    return Tile(
        id=facts["id"],
        sides="".join(_side(side, segments) for side in range(4)),
        segments=tuple(segments),
        start=facts.get("start", False),
        block=(block[0], block[1]) if block else None,
        marks=frozenset(mark for mark in ("volcano", "carcassonne") if facts.get(mark)) | set(_marks(facts)),
    )


def _marks(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Marks without a key of their own in the format, for future expansions."""
    return tuple(facts.get("marks", ()))


def _side(side: int, segments: Iterable[Segment]) -> str:
    middle, halves = 3 * side + 1, {3 * side, 3 * side + 2}
    for segment in segments:
        if middle in segment.ports:
            return {CITY: "c", ROAD: "r", RIVER: "v"}[segment.kind]
    if any(halves & set(segment.ports) for segment in segments):
        return "f"
    return "-"


@dataclass(frozen=True, slots=True)
class TileSet:
    """The tiles of one published set and how many copies each edition holds."""

    name: str
    tiles: tuple[Tile, ...]
    editions: Mapping[str, Mapping[str, int]]

    def copies(self, edition: str) -> Mapping[str, int]:
        """Tile id to number of copies in *edition*, by the table that stands for it (BASE-3).

        >>> load_tile_set("base").copies("C1")["base.B"]
        4
        """
        table = edition if edition in self.editions else "C1" if edition == "C1" else "C2"
        return self.editions[table if table in self.editions else "C1"]


@cache
def load_tile_set(name: str) -> TileSet:
    """The set called *name*; ``FileNotFoundError`` if there is none.

    >>> load_tile_set("river1").name, len(load_tile_set("river1").tiles)
    ('river1', 11)
    """
    with (DATA / f"{name}.toml").open("rb") as file:
        table = tomllib.load(file)
    return TileSet(
        name=name,
        tiles=tuple(_tile(facts) for facts in table["tile"]),
        editions={
            edition: {tile: count for tile, count in copies.items() if count}
            for edition, copies in table["editions"].items()
        },
    )


@cache
def get_tile(id: str) -> Tile:
    """The tile called *id*, such as ``base.P``; ``KeyError`` if there is none.

    >>> get_tile("base.D").sides  # from the north: city, road, field, road
    'crfr'
    >>> get_tile("base.D") is get_tile("base.D")
    True
    """
    name = id.partition(".")[0]
    if not (DATA / f"{name}.toml").is_file():
        raise KeyError(id)
    for tile in load_tile_set(name).tiles:
        if tile.id == id:
            return tile
    raise KeyError(id)


@cache
def list_sets_with_tiles() -> tuple[str, ...]:
    """The names of all sets that bring tiles, sorted.

    >>> list_sets_with_tiles()[:3]
    ('base', 'count', 'cult')
    """
    return tuple(sorted(path.stem for path in DATA.glob("*.toml")))
