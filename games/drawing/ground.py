"""The ground of a tile with everything that matters in the game: terrain, walls, roads, and buildings.

It is drawn separately for each rotation, so that buildings, shields and towers always stand upright. Along
its sides a tile shows only flat colours and what crosses the side, so that neighbours join.
"""

from __future__ import annotations

from math import dist

from games.rules.tiles import SHRINE, Tile

from . import palette as p
from .curves import SIZE, Curve, Point, number, numbers, outline
from .decor import texture
from .layout import layout
from .places import places
from .ramparts import bastions, within
from .roads_and_rivers import LAKE, SPRING, RoadOrRiver
from .signs import use
from .streets import SQUARE, square, streets
from .walls import City, towers

MERLON, MERLON_GAP = 1.2, 1.9
"""Width of a tick on a wall, and distance of the first one from the side of the tile."""


def ground(tile: Tile, rotation: int) -> str:
    """*tile* turned by *rotation* degrees, as SVG within a square of 100 units."""
    plan = layout(tile).rotate_clockwise(rotation // 90)
    where = places(tile, rotation)
    shrine = any(segment.kind == SHRINE for segment in tile.segments)
    parts = [f'<path d="M0 0h100v100H0z" fill="{p.GRASS}"/>']
    parts.append(_ways(plan.rivers, ((p.BANK, 15.0), (p.WATER, 12.0))))
    parts.append(_ripples(plan.rivers))
    parts += [_city_ground(city_outline(city)) for city in plan.cities]
    parts += [_draw_streets(tile, rotation, city) for city in plan.cities]
    if plan.rampart:
        parts.append(_city_ground(within(plan.rampart)))
    parts.append(texture(tile, rotation))
    road = ((p.ROAD_RIM, 10.4), (p.ROAD, 7.4))
    parts.append(_ways((*plan.roads, *plan.lanes), road))
    for upper, point, behind in plan.overpasses:
        parts += [_ways((upper,), road), _bridge(point, behind)]
    parts += [_bridge(point, behind) for point, behind in plan.bridges]
    parts += [_hedge(hedge) for hedge in plan.hedges]
    if plan.cloister:
        parts.append(use("precinct" if shrine else "close", plan.cloister))
    parts.append(_walls(plan.walls))
    if plan.rampart:
        parts.append(_walls(plan.rampart.walls, extra=2.0))
    upright: list[tuple[str, Point]] = []
    upright += where.emblems.values()
    upright += [("water-gate", point) for point in plan.water_gates]
    upright += [(way.end, way.curve.end) for way in plan.rivers if way.end in (SPRING, LAKE)]
    parts.append(_towers([point for city in plan.cities for point in towers(city, plan.passages)]))
    upright += [("gate", gate) for gate in plan.gates]
    upright += [("passage", point) for point in plan.passages]
    if plan.rampart:
        upright += [("bastion", point) for point in bastions(plan.rampart, plan.gates)]
    if plan.village:
        upright.append(("hamlet" if len(plan.lanes) > 1 else "village", plan.village))
    if plan.cloister:
        upright.append(("shrine" if shrine else "monastery", plan.cloister))
    if where.garden:
        upright.append(("garden", where.garden))
    parts += [use(name, point) for name, point in sorted(upright, key=lambda item: item[1][1])]
    return "".join(parts)


def city_outline(city: City) -> str:
    """Path data of the ground inside the walls of *city*."""
    return outline(city.walls) if city.walls else "M0 0h100v100H0z"


def _city_ground(data: str) -> str:
    return f'<path d="{data}" fill="{p.CITY}"/>'


def _draw_streets(tile: Tile, rotation: int, city: City) -> str:
    """The streets of *city*, and the place where they meet."""
    data = "".join(street.format_path_data() for street in streets(tile, rotation, city))
    x, y = square(tile, rotation, city.index)
    return (
        f'<path d="{data}" fill="none" stroke="{p.CITY_LIGHT}" stroke-width="5"/>'
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{SQUARE}" fill="{p.CITY_LIGHT}"/>'
    )


def _ways(ways: tuple[RoadOrRiver, ...], layers: tuple[tuple[str, float], ...]) -> str:
    """Roads or rivers as lines on top of each other, the rim first."""
    if not ways:
        return ""
    d = "".join(way.curve.format_path_data() for way in ways)
    return "".join(
        f'<path d="{d}" fill="none" stroke="{ink}" stroke-width="{width}"/>' for ink, width in layers
    )


def _ripples(rivers: tuple[RoadOrRiver, ...]) -> str:
    """Light lines in the water, away from the sides of the tile."""
    marks = []
    for way in rivers:
        for place, off in ((0.14, -2.6), (0.3, 2.2), (0.46, -1.8), (0.62, 2.8), (0.8, -2.4)):
            (ax, ay), (bx, by) = way.curve.at(place), way.curve.at(place + 0.05)
            far = dist((ax, ay), (bx, by)) or 1
            dx, dy = (bx - ax) / far, (by - ay) / far
            x, y = ax - dy * off, ay + dx * off
            if 7 < x < 93 and 7 < y < 93:
                marks.append(f"M{numbers((x, y))}l{numbers((dx * 5, dy * 5))}")
    return _strokes("".join(marks), p.WATER_LIGHT, 1.2)


def _strokes(data: str, ink: str, width: float) -> str:
    if not data:
        return ""
    return f'<path d="{data}" fill="none" stroke="{ink}" stroke-width="{width}" stroke-linecap="round"/>'


def _bridge(point: Point, behind: Point) -> str:
    """Parapets of stone on both sides of a road where it crosses a river."""
    (x, y), dx, dy = point, behind[0] - point[0], behind[1] - point[1]
    length = (dx * dx + dy * dy) ** 0.5
    dx, dy = dx / length, dy / length
    ends = [
        (x + 5.6 * side * dy + along * dx, y - 5.6 * side * dx + along * dy)
        for side in (1, -1)
        for along in (-10.5, 10.5)
    ]
    d = f"M{numbers(ends[0])}L{numbers(ends[1])}M{numbers(ends[2])}L{numbers(ends[3])}"
    return (
        f'<g fill="none" stroke-linecap="round"><path d="{d}" stroke="{p.INK}" stroke-width="4.4"/>'
        f'<path d="{d}" stroke="{p.STONE}" stroke-width="2.8"/></g>'
    )


def _hedge(hedge: Curve) -> str:
    """Bushes in a row, up to the corner of the tile but not into it."""
    points = [point for point in hedge.samples() if all(6 < value < SIZE - 6 for value in point)]
    d = "M" + "L".join(numbers(point) for point in points)
    return (
        f'<g fill="none" stroke-linecap="round" stroke-dasharray=".1 5">'
        f'<path d="{d}" stroke="{p.TREE_SHADE}" stroke-width="6" transform="translate(.8 2)"/>'
        f'<path d="{d}" stroke="{p.TREE_DARK}" stroke-width="7"/>'
        f'<path d="{d}" stroke="{p.TREE}" stroke-width="5.4"/>'
        f'<path d="{d}" stroke="{p.TREE_LIGHT}" stroke-width="2.2" transform="translate(-.8 -.9)"/></g>'
    )


def _walls(walls: tuple[Curve, ...], extra: float = 0.0) -> str:
    """*walls* seen from above and from the south; *extra* is added to their usual width."""
    if not walls:
        return ""
    wide, broad = f"{5.6 + extra:g}", f"{4 + extra:g}"
    top = "".join(wall.format_path_data() for wall in walls)
    face = "".join(wall.shift_down(2.2 + extra).format_path_data() for wall in walls)
    return (
        f'<g fill="none"><path d="{face}" stroke="{p.INK}" stroke-width="{wide}"/>'
        f'<path d="{face}" stroke="{p.STONE_FACE}" stroke-width="{broad}"/>'
        f'<path d="{top}" stroke="{p.INK}" stroke-width="{wide}"/>'
        f'<path d="{top}" stroke="{p.STONE}" stroke-width="{broad}"/>'
        f'<g stroke="{p.STONE_DARK}" stroke-width="{2.2 + extra:g}">{_merlons(walls)}</g></g>'
    )


def _merlons(walls: tuple[Curve, ...]) -> str:
    """Ticks along the walls, spaced so that each wall begins and ends with the same gap: there the
    neighbour's wall goes on."""
    parts = []
    for wall in walls:
        length = wall.length() - 2 * MERLON_GAP - MERLON
        gap = length / round(length / 3.8) - MERLON
        parts.append(
            f'<path d="{wall.format_path_data()}" stroke-dasharray="{MERLON} {gap:.3f}"'
            f' stroke-dashoffset="-{MERLON_GAP}"/>'
        )
    return "".join(parts)


def _towers(points: list[Point]) -> str:
    """Round towers with pointed roofs, all of them in four paths."""
    ordered = sorted(points, key=lambda point: point[1])
    return "".join(
        f'<path d="{"".join(f"M{x:.0f} {y:.0f}{shape}" for x, y in ordered)}" {style}/>'
        for shape, style in (
            ("m-4-5v9q4 2 8 0v-9z", f'fill="{p.STONE}" stroke="{p.INK}"'),
            ("m1-4v8q2 0 3-1v-7z", f'fill="{p.STONE_FACE}"'),
            ("m-5-4l5-8 5 8q-5 2-10 0z", f'fill="{p.ROOF}" stroke="{p.INK}" stroke-linejoin="round"'),
            ("m0-12l5 8q-2 1-4 1z", f'fill="{p.ROOF_DARK}"'),
        )
        if points
    )
