"""The layout of everything on a tile, computed from its segments alone.

Walls cross a side of the tile at right angles and always at the same two places, roads and rivers in the
middle, so any two tiles that may lie side by side join. Between two places the form of a wall depends on the
sides between them; nothing here depends on a tile's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from games.rules.tiles import CITY, MONASTERY, ROAD, SHRINE, Tile

from .curves import Curve, Point, rotate_point
from .ramparts import rampart
from .roads_and_rivers import (
    CENTRE,
    GATE,
    MOUTH,
    RoadOrRiver,
    bridges,
    city_ahead,
    hedges,
    lanes,
    rivers,
    roads,
    segments_of,
)
from .walls import City, city, crossings, thickets


@dataclass(frozen=True, slots=True)
class Layout:
    tile: Tile
    cities: tuple[City, ...]
    roads: tuple[RoadOrRiver, ...]
    rivers: tuple[RoadOrRiver, ...]
    lanes: tuple[RoadOrRiver, ...]  # from a village to the gate of a city, between two fields
    village: Point | None
    cloister: Point | None  # monastery or shrine
    rampart: City | None  # Carcassonne within its walls
    hedges: tuple[Curve, ...]  # between fields that nothing else divides

    @property
    def gates(self) -> tuple[Point, ...]:
        return tuple(way.curve.end for way in (*self.roads, *self.lanes) if way.end == GATE)

    @property
    def walls(self) -> tuple[Curve, ...]:
        """All walls, except the stronger ones of Carcassonne, which are ``rampart.walls``."""
        return tuple(wall for city in self.cities for wall in city.walls)

    @property
    def passages(self) -> tuple[Point, ...]:
        """Points where a city passes under the walls of another that crosses it."""
        return crossings(self.cities, self.tile)

    @property
    def bridges(self) -> tuple[tuple[Point, Point], ...]:
        """Points where roads cross the river, each with a point just behind it along the road."""
        return bridges(self.roads, self.rivers)

    @property
    def overpasses(self) -> tuple[tuple[RoadOrRiver, Point, Point], ...]:
        """Roads that cross another one without a junction, each with the point and one just behind it."""
        through = [road for road in self.roads if road.end is None]
        return tuple(
            (upper, point, behind)
            for place, upper in enumerate(through)
            for point, behind in bridges((upper,), through[:place])
        )

    @property
    def water_gates(self) -> tuple[Point, ...]:
        """Points where the river flows through a wall."""
        mouths = [river.curve.end for river in self.rivers if river.end == MOUTH]
        walls = [RoadOrRiver(-1, wall, None) for wall in self.walls]
        return tuple(mouths) or tuple(point for point, _ in bridges(walls, self.rivers))

    def rotate_clockwise(self, turns: int) -> Layout:
        """Return the layout after *turns* clockwise quarter turns."""
        return Layout(
            self.tile,
            tuple(city.rotate_clockwise(turns) for city in self.cities),
            tuple(road.rotate_clockwise(turns) for road in self.roads),
            tuple(river.rotate_clockwise(turns) for river in self.rivers),
            tuple(lane.rotate_clockwise(turns) for lane in self.lanes),
            rotate_point(self.village, turns) if self.village else None,
            _under_the_top(rotate_point(self.cloister, turns)) if self.cloister else None,
            self.rampart.rotate_clockwise(turns) if self.rampart else None,
            tuple(hedge.rotate_clockwise(turns) for hedge in self.hedges),
        )


@cache
def layout(tile: Tile) -> Layout:
    """Everything on *tile* as printed (rotation 0)."""
    cities = tuple(city(segment, tile) for segment in segments_of(tile, CITY))
    old_town = rampart(tile)
    cloister = None
    if any(segment.kind in (MONASTERY, SHRINE) for segment in tile.segments):
        cloister = _free_centre(tile, 12)
    ending = [segment for segment in segments_of(tile, ROAD) if len(segment.ports) == 1]
    gated = {end.index: ahead for end in ending if (ahead := city_ahead(end, tile, cities, old_town))}
    village = None
    if cloister is None and len(ending) > len(gated):
        village = _free_centre(tile, 4)
    return Layout(
        tile,
        cities,
        roads(tile, gated, cloister, village),
        rivers(tile, cities, cloister),
        lanes(tile, cities, village),
        village,
        cloister,
        old_town,
        (*hedges(tile, cities), *thickets(cities, tile)),
    )


def _under_the_top(cloister: Point) -> Point:
    """*cloister* moved down so far that its tower, which is upright in every rotation, stays on the tile."""
    return cloister[0], max(cloister[1], 45.0)


def _free_centre(tile: Tile, away: float) -> Point:
    """The middle, moved *away* from each side with a city; where a river flows straight through, to the side
    without a road."""
    x, y = CENTRE
    for side, kind in enumerate(tile.sides):
        if kind == "c":
            x, y = x - (0, away, 0, -away)[side], y - (-away, 0, away, 0)[side]
    for a, b in ((0, 1), (1, 0)):
        if tile.sides[a] == "v" == tile.sides[a + 2]:
            free = b if tile.sides[b] != "r" else b + 2
            x, y = x + (0, away, 0, -away)[free], y + (-away, 0, away, 0)[free]
    return x, y
