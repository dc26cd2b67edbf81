"""The shape of each segment of a tile, to highlight features on the board."""

from __future__ import annotations

from games.rules.tiles import CITY, FIELD, ROAD, Tile

from .curves import Point, numbers
from .ground import city_outline
from .layout import layout
from .places import GARDEN_HALF, places
from .regions import CLOISTER_RADIUS, contour, regions


def segment_shapes(tile: Tile) -> dict[int, str]:
    """A path for each segment that can hold a meeple, by index, for rotation 0. The element that uses it sets
    the colour, as fill for areas and as stroke for roads."""
    plan, ground, where = layout(tile), regions(tile), places(tile, 0)
    shapes = {}
    for segment in tile.segments:
        if segment.kind == CITY:
            city = next(city for city in plan.cities if city.index == segment.index)
            shapes[segment.index] = f'<path d="{city_outline(city)}" stroke="none"/>'
        elif segment.kind == ROAD:
            way = next(way for way in plan.roads if way.index == segment.index)
            shapes[segment.index] = (
                f'<path d="{way.curve.format_path_data()}" fill="none" stroke-width="7.4"/>'
            )
        elif segment.kind == FIELD:
            loops = contour(ground.of(segment.index))
            data = "".join("M" + "L".join(numbers(point) for point in loop) + "z" for loop in loops)
            shapes[segment.index] = f'<path d="{data}" fill-rule="evenodd" stroke="none"/>'
        elif segment.index in where.spots:
            middle = where.garden if segment.kind == "garden" else plan.cloister
            radius = GARDEN_HALF[0] + 2 if segment.kind == "garden" else CLOISTER_RADIUS + 3
            if middle:
                shapes[segment.index] = f'<path d="{_circle(middle, radius)}" stroke="none"/>'
    return shapes


def _circle(middle: Point, radius: float) -> str:
    x, y = middle
    turn = numbers((radius, radius)) + " 0 1 0 "
    return f"M{numbers((x - radius, y))}a{turn}{numbers((2 * radius, 0))}a{turn}{numbers((-2 * radius, 0))}z"
