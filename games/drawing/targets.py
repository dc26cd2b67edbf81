"""Drawings over a board while a decision is open: places to choose, the figures that would stand there, and
where these would come from. All points are those of the drawing, 100 units to a cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import atan2, cos, hypot, sin

from games.rules.tiles import CITY

from .board import (
    BESIDE,
    BoardPicture,
    Resident,
    draw_above_tiles,
    quarter_points,
    token_symbol,
)
from .curves import Point, numbers
from .figures import get_figure_symbol
from .layers import SegmentShape, road_strip, segment_light
from .quarters import get_block
from .rings import RADIUS, spread
from .spots import guest_point, spot_point

LABEL_HIGH = 30
LINE = 17  # distance between the lines of a label
LETTER = 8.8  # usual width of a letter in labels
ENLARGED = 1.3  # factor by which labels are larger on a small board
RING = 17  # radius of the ring around a figure that stands there
HIT = 23  # radius of the area around it that a finger hits: in pixels, at any scale of the board
HEAD = 15  # size of the head of an arrow


@dataclass(frozen=True, slots=True)
class Ghost:
    """A figure that would stand at a point."""

    symbol: str  # its address
    at: Point
    text: str = ""  # label beside it, such as the number of figures
    spot: Point | None = None  # the target itself, if the figure is drawn beside it


@dataclass(frozen=True, slots=True)
class Target:
    """A place on the board that may be chosen, or is."""

    id: str
    href: str  # empty for a target that is only shown
    label: str
    shapes: tuple[SegmentShape, ...] = ()  # shapes of the target's segments, if it is a feature
    quarter: str = ""
    ringed: tuple[Point, ...] = ()  # points of the figures it concerns
    ghost: Ghost | None = None
    text: str = ""  # a label outside of the walls, for a quarter
    below: str = ""  # second line of the label
    chosen: bool = False
    meant: int = 0  # number of the ringed figures that are chosen, once this is
    seat: int = 0  # index of its colour when it is chosen
    guest: bool = False  # about a figure that belongs to no seat and has a colour of its own


@dataclass(frozen=True, slots=True)
class FigurePath:
    """The path of a figure from where it stands to where it would go."""

    start: Point
    end: Point


def draw_targets(targets: Sequence[Target], ways: Iterable[FigurePath], picture: BoardPicture) -> str:
    """*targets* as links: features, then quarters, whose labels lie above them; above them all figures on the
    board, and above these the *ways*, and figures that may be moved, too."""
    features = [_target(target, picture) for target in targets if target.shapes]
    quarters = [_target(target, picture) for target in targets if target.quarter]
    figures = [_target(target, picture) for target in targets if not (target.shapes or target.quarter)]
    arrows = [_arrow(way) for way in ways]
    return "".join((*features, *quarters, _standing(picture), *figures, *arrows))


def spread_targets(targets: Sequence[Target]) -> list[Target]:
    """*targets* with the figures that would stand on features moved apart, so that each can be tapped."""
    points = [target.ghost.at for target in targets if target.shapes and target.ghost]
    try:
        moved = iter(spread(points))
    except ValueError:  # too many to move apart; the features themselves can be tapped
        return [*targets]
    return [
        replace(target, ghost=_move_ghost(target.ghost, next(moved)))
        if target.shapes and target.ghost
        else target
        for target in targets
    ]


def _move_ghost(ghost: Ghost, at: Point) -> Ghost:
    far = hypot(at[0] - ghost.at[0], at[1] - ghost.at[1]) > 1
    return replace(ghost, at=at, spot=ghost.at) if far else ghost


def find_target_bounds(targets: Iterable[Target], picture: BoardPicture) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of everything that may be chosen: features with their tiles, and the whole
    city if quarters may be chosen."""
    corners: list[Point] = []
    for target in targets:
        corners += [
            (100 * (shape.x + far), 100 * (shape.y + far)) for shape in target.shapes for far in (0, 1)
        ]
        if target.quarter:
            block = get_block(picture.laid)
            columns, rows = block.city.size
            corners += [block.move((0, 0)), block.move((100 * columns, 100 * rows))]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))


# ------------------------------------------------------------------------------------------------- places


def find_place_in_quarter(picture: BoardPicture, quarter: str) -> Point:
    """Return the point of the next figure in *quarter*."""
    there = sum(resident.quarter == quarter for resident in picture.residents)
    block = get_block(picture.laid)
    return block.move(block.city.place(quarter, there))


def list_places_of_figures(picture: BoardPicture, seat: int, quarter: str, meeple: str) -> tuple[Point, ...]:
    """Return the points of the figures of one kind and of the seat's colour *seat* in *quarter*."""

    def meant(resident: Resident) -> bool:
        return (resident.seat, resident.quarter, resident.meeple) == (seat, quarter, meeple)

    points = quarter_points(picture.residents, get_block(picture.laid))
    return tuple(point for resident, point in points if meant(resident))


def find_place_of_quarter_token(picture: BoardPicture, quarter: str) -> Point:
    """Return the point in *quarter* of a figure of no seat, which may not stand there yet."""
    block = get_block(picture.laid)
    return block.move(block.city.token_place(quarter))


def find_place_on_feature(picture: BoardPicture, x: int, y: int, on: str, side: str | None) -> Point:
    """Return the point of one more figure on the spot."""
    tile = _tile(picture, x, y)
    across, down = spot_point(*tile, on, side)
    there = sum(
        (meeple.x, meeple.y) == (x, y) and spot_point(*tile, meeple.on, meeple.side) == (across, down)
        for meeple in picture.meeples
    )
    shift = BESIDE[there % len(BESIDE)]
    return 100 * x + across + 2 * shift[0], 100 * y + down + 2 * shift[1]


def find_place_of_guest(picture: BoardPicture, x: int, y: int, on: str, side: str | None) -> Point:
    """Return the point of a figure of no seat on the spot."""
    across, down = guest_point(*_tile(picture, x, y), on, side)
    return 100 * x + across, 100 * y + down


def find_place_of_token(picture: BoardPicture, name: str) -> Point | None:
    """Return the present point of the figure called *name*, which belongs to no seat."""
    for token in picture.tokens:
        if token.name == name:
            return find_place_of_guest(picture, token.x, token.y, token.on, token.side)
    inside = picture.quarter_token
    return find_place_of_quarter_token(picture, inside.quarter) if inside else None


def build_meeple_address(picture: BoardPicture, seat: int, meeple: str, on: str = CITY) -> str:
    """Return the address of the symbol of a figure in a seat's colour on a feature of the kind *on*."""
    return f"{picture.sprite}#{get_figure_symbol(seat, meeple, on)}"


def build_token_address(picture: BoardPicture, name: str) -> str:
    """Return the address of the symbol of a figure that belongs to no seat."""
    return token_symbol(picture, name)


def _tile(picture: BoardPicture, x: int, y: int) -> tuple[str, int]:
    return next((tile.tile, tile.rotation) for tile in picture.laid if (tile.x, tile.y) == (x, y))


# ------------------------------------------------------------------------------------------------ drawing


def _target(target: Target, picture: BoardPicture) -> str:
    css = f"target seat{target.seat}" + (" guest" if target.guest else "")
    css += " chosen" if target.chosen else ""
    body = "".join(segment_light(shape, picture) + road_strip(shape) for shape in target.shapes)
    if body:
        body = f'<g class="ground">{body}</g>'
    if target.quarter:
        body += _quarter(target.quarter, picture)
    for index, (x, y) in enumerate(target.ringed):
        css_of_ring = "ring meant" if target.chosen and index < target.meant else "ring"
        body += f'<g class="hit" transform="translate({x:g} {y:g})"><circle r="{HIT}"/></g>'
        body += f'<circle class="{css_of_ring}" cx="{x:g}" cy="{y:g}" r="{RING}"/>'
    if target.ghost:
        body += _ghost(target.ghost)
    if target.text:
        body += _label(target.text, target.below, target.quarter, picture)
    if not target.href:
        return f'<g class="{css}">{body}</g>'
    href, label = escape(target.href), escape(target.label)
    current = ' aria-current="true"' if target.chosen else ""
    if target.ghost:  # in cells, as marks have it: where it is sought when it is out of sight
        x, y = ((part - 50) / 100 for part in target.ghost.at)
        current += f' data-at="{x:g},{y:g}"'
    return (
        f'<a id="{target.id}" class="{css}" href="{href}" hx-get="{href}" aria-label="{label}"{current}>'
        f"<title>{label}</title>{body}</a>"
    )


def _quarter(name: str, picture: BoardPicture) -> str:
    block = get_block(picture.laid)
    outline = block.city.outlines[name]
    place = f'transform="translate({100 * block.x} {100 * block.y})"'
    return f'<path class="ground" d="{outline}" {place}/><path class="edge" d="{outline}" {place}/>'


def _ghost(ghost: Ghost) -> str:
    x, y = ghost.at
    text = f'<text x="24" y="8">{escape(ghost.text)}</text>' if ghost.text else ""
    lead = f'<path class="lead" d="M{numbers(ghost.spot)}L{numbers(ghost.at)}"/>' if ghost.spot else ""
    return (
        f'{lead}<g class="coming" transform="translate({x:g} {y:g})"><g><circle class="ring" r="{RADIUS:g}"/>'
        f'<use href="{ghost.symbol}"/>{text}</g></g>'
    )


def _label(text: str, below: str, quarter: str, picture: BoardPicture) -> str:
    """*text* outside of the walls beside *quarter*, so that labels stay apart even if they are enlarged."""
    width = 24 + LETTER * max(len(text), 0.85 * len(below))
    high = LABEL_HIGH + (LINE if below else 0)
    block = get_block(picture.laid)
    (x, y), middle = block.city.token_place(quarter), block.city.middle
    away = max(85.0, ENLARGED * width / 2 + 3)
    x = middle[0] - away if x < middle[0] else middle[0] + away
    x, y = block.move((x, 13 if y < middle[1] else 100 * block.city.size[1] - 24))
    lines = f'<text y="{6 - (LINE / 2 if below else 0):g}">{escape(text)}</text>'
    lines += f'<text class="below" y="{6 + LINE / 2:g}">{escape(below)}</text>' if below else ""
    return (
        f'<g class="name" transform="translate({x:g} {y:g})"><g>'
        f'<rect x="{-width / 2:g}" y="{-high / 2:g}" width="{width:g}" height="{high}"'
        f' rx="{LABEL_HIGH / 2:g}"/>{lines}</g></g>'
    )


def _standing(picture: BoardPicture) -> str:
    """All figures once more, above the highlight."""
    above = BoardPicture(
        laid=picture.laid,
        meeples=picture.meeples,
        tokens=picture.tokens,
        residents=picture.residents,
        quarter_token=picture.quarter_token,
        sprite=picture.sprite,
        sprites=picture.sprites,
    )
    return f'<g class="standing" aria-hidden="true">{draw_above_tiles(above, links=False)}</g>'


def _arrow(way: FigurePath) -> str:
    """A dashed arc, bent upwards, with a head; it stops short of the figures at its ends."""
    (x0, y0), (x1, y1) = way.start, way.end
    far = hypot(x1 - x0, y1 - y0)
    if far < 3 * HEAD:
        return ""
    top = (x0 + x1) / 2, (y0 + y1) / 2 - max(24.0, min(0.3 * far, 90.0))
    first = _towards((x0, y0), top, RING)
    last = _towards((x1, y1), top, RING)
    angle = atan2(y1 - top[1], x1 - top[0])
    neck = last[0] - HEAD * cos(angle), last[1] - HEAD * sin(angle)
    side = 0.62 * HEAD * sin(angle), -0.62 * HEAD * cos(angle)
    line = f"M{numbers(first)}Q{numbers(top)} {numbers(neck)}"
    head = (
        f"M{numbers(last)}L{numbers((neck[0] + side[0], neck[1] + side[1]))}"
        f"L{numbers((neck[0] - side[0], neck[1] - side[1]))}z"
    )
    return (
        f'<g class="going"><path class="rim" d="{line}"/><path class="line" d="{line}"/>'
        f'<path class="head" d="{head}"/></g>'
    )


def _towards(point: Point, other: Point, step: float) -> Point:
    """*step* units from *point* on the way to the *other*."""
    far = hypot(other[0] - point[0], other[1] - point[1])
    return (
        point[0] + (other[0] - point[0]) * step / far,
        point[1] + (other[1] - point[1]) * step / far,
    )
