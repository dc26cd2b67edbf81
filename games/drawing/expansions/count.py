"""The figure of the Count of Carcassonne, and his city: four quarters with space for a crowd."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from games.rules.tiles import load_tile_set

from .. import palette as p
from ..art import Art, CityArt
from ..curves import Point, number, numbers
from ..layout import layout
from ..palette import INK
from ..ramparts import bastions
from ..signs import cathedral, house, use

CAPE = (
    "M0-8c6.5 0 10.5 5 12.5 13.5l1.8 7c.3 1.4-.4 2.2-1.8 2.2"
    "h-25c-1.4 0-2.1-.8-1.8-2.2l1.8-7C-10.5-3-6.5-8 0-8z"
)
CROWN = "M-6.4-14l-1.4-8 4.2 3.4L0-24l3.6 5.4L7.8-22l-1.4 8q-6.4 2-12.8 0z"


def count() -> str:
    """The Count of Carcassonne: crowned, in purple and ermine, like nobody's meeple."""
    return (
        '<g stroke-linejoin="round">'
        f'<path d="{CAPE}{CROWN}" fill="none" stroke="#fffaf0" stroke-opacity=".9" stroke-width="4.4"/>'
        f'<path d="{CAPE}" fill="#6d3f96" stroke="{INK}" stroke-width="1.6"/>'
        f'<path d="M-3 14V1h6v13z" fill="#b78fd6"/>'
        f'<circle cy="-10.5" r="5.6" fill="#f0cfa6" stroke="{INK}" stroke-width="1.4"/>'
        f'<path d="M-4.7-9.5q4.7 9 9.4 0-1.5-1.5-2.7-.4h-4q-1.2-1.1-2.7.4z" fill="#7b5535"/>'
        f'<path d="M-8.5-4.2q8.5 7.6 17 0l2 3.6q-10.5 8.4-21 0z" fill="#fbf6ec" stroke="{INK}"'
        ' stroke-width="1.2"/>'
        f'<path d="M-6-1v1.5M0 1v1.5M6-1v1.5" stroke="{INK}" stroke-width="1.2"/>'
        f'<path d="{CROWN}" fill="#f4c531" stroke="{INK}" stroke-width="1.4"/>'
        '<path d="M-3.6-15.5h0M0-16h0M3.6-15.5h0" stroke="#c8402c" stroke-width="1.9"'
        ' stroke-linecap="round"/></g>'
    )


CASTLE, MARKET, BLACKSMITH, CATHEDRAL = QUARTERS = ("castle", "market", "blacksmith", "cathedral")
"""Quarters, clockwise from the north-west, as in the tile table."""

MIDDLE: Point = (200.0, 150.0)
_DIRECTIONS = {CASTLE: (-1, -1), MARKET: (1, -1), BLACKSMITH: (1, 1), CATHEDRAL: (-1, 1)}
"""Direction of each quarter from the middle."""
FLOORS = dict(zip(QUARTERS, p.FLOORS, strict=True))

# The places of a quarter as they are in the castle's, from the corner in the middle of the city. The first
# eight leave its building in full view.
_ROW, _BEHIND = 20.0, 42.0
_PLACES: tuple[Point, ...] = (
    *((across, _ROW) for across in (64.5, 41.0, 88.0, 17.5, 111.5)),
    *((across, _BEHIND) for across in (52.75, 29.25, 76.25)),
    *((across, _BEHIND) for across in (99.75, 123.0)),
    *((across, 64.0) for across in (64.5, 88.0, 111.5)),
)
_COUNT: Point = (27.0, 70.0)
_BUILDING: Point = (94.0, 46.0)


def quarter_point(quarter: str, n: int) -> Point:
    """Return the point of the *n*-th meeple of a quarter, from 0. There are thirteen places, more than any
    game has needed; further meeples stand between them. ``KeyError`` for an unknown quarter."""
    round_, place = divmod(n, len(_PLACES))
    x, y = _move_to_quarter(quarter, _PLACES[place])
    shift = (0.0, 11.0, 5.5, 16.5)[round_ % 4]
    return x + (shift if x < MIDDLE[0] else -shift), y - (round_ % 4) * 4


def count_point(quarter: str) -> Point:
    """Return the point of the Count in *quarter*, beside all others."""
    return _move_to_quarter(quarter, _COUNT)


def quarter_outline(quarter: str) -> str:
    """Path data of the ground of *quarter*, between the streets and the wall."""
    dx, dy = _DIRECTIONS[quarter]
    x, y = MIDDLE[0] + 7 * dx, MIDDLE[1] + 6 * dy
    corner = f"a43 43 0 0 {int(dx == dy)} {numbers((-43 * dx, 43 * dy))}"
    return f"M{numbers((x, y))}H{MIDDLE[0] + 143 * dx:g}v{44 * dy}{corner}H{x:g}z"


def _move_to_quarter(quarter: str, place: Point) -> Point:
    """*place* in the castle's quarter, relative to the middle of the city, mirrored into *quarter*."""
    dx, dy = _DIRECTIONS[quarter]
    across, up = place
    return MIDDLE[0] + across * dx, MIDDLE[1] - up + (98 if dy > 0 else 0)


def carcassonne() -> str:
    """Draw everything inside the walls: streets, quarters and their buildings."""
    parts = [
        f'<path d="{quarter_outline(name)}" fill="{floor}" stroke="{p.CITY_DARK}" stroke-width="1.5"/>'
        for name, floor in FLOORS.items()
    ]
    parts += [_paving(), _fountain()]
    upright = [(_move_to_quarter(name, _BUILDING), drawn) for name, drawn in _BUILDINGS.items()]
    standing = [
        (y, f'<g transform="translate({number(x)} {number(y)})">{draw()}</g>') for (x, y), draw in upright
    ]
    standing += [(point[1], use(name, point)) for name, point in _on_the_wall()]
    return "".join((*parts, *(svg for _, svg in sorted(standing))))


def _on_the_wall() -> Iterator[tuple[str, Point]]:
    """Gates and towers of the wall, which the ground of the quarters would hide."""
    for tile in load_tile_set("count").tiles:
        plan = layout(tile)
        column, row = tile.block or (0, 0)
        places = [("gate", gate) for gate in plan.gates]
        if plan.rampart:
            places += [("bastion", point) for point in bastions(plan.rampart, plan.gates)]
        yield from ((name, (x + 100 * column, y + 100 * row)) for name, (x, y) in places)


def _paving() -> str:
    """Stones in the streets, and slabs, hay and soot on the ground of the quarters."""
    street = "".join(f"M{x} 149h4m3 3h4" for x in (*range(68, 180, 16), *range(220, 330, 16)))
    street += "".join(f"M197 {y}h3m2 4h3" for y in (*range(64, 130, 13), *range(172, 238, 13)))
    slabs = "M150 64h7m4 4h6M72 126h6m18 8h6M128 100h6m30 30h6M160 108h5M86 118h5"
    hay = "M226 64h6m-2 4h6M318 112h6m-18 20h6M262 104h5m-30 26h5M290 126h6"
    soot = "M226 164h6m-3 4h7M320 196h6m-26 30h7M262 208h5m-30 22h6M236 190h5"
    grass = (
        "M150 164l-1-3m1 3l1-3M160 170l-1-3m1 3l1-3M72 200l-1-3m1 3l1-3M136 214l-1-3m1"
        " 3l1-3M160 232l-1-3m1 3l1-3"
    )
    return (
        f'<g fill="none" stroke-linecap="round"><path d="{street}" stroke="{p.CITY_DARK}"/>'
        f'<path d="{slabs}" stroke="#a99d90"/><path d="{hay}" stroke="#cfae63"/>'
        f'<path d="{soot}" stroke="#94705a"/><path d="{grass}" stroke="{p.GRASS_DARK}"'
        ' stroke-width="1.2"/></g>'
    )


def _fountain() -> str:
    x, y = MIDDLE
    return (
        f'<g transform="translate({x:g} {y:g})"><circle r="13" fill="{p.CITY_LIGHT}" stroke="{p.CITY_DARK}"'
        f' stroke-width="1.5"/><ellipse cy="2" rx="8" ry="5.6" fill="{p.STONE}" stroke="{p.INK}"/>'
        f'<ellipse cy="1.2" rx="6" ry="3.6" fill="{p.WATER}"/>'
        f'<path d="M-1.6 1.5v-9h3.2v9z" fill="{p.STONE}" stroke="{p.INK}" stroke-width=".8"/>'
        f'<path d="M-4-1q.6-6 4-6t4 6" fill="none" stroke="{p.WATER_LIGHT}" stroke-width="1.2"/></g>'
    )


def _castle() -> str:
    """A keep between round towers, with flags."""
    teeth = "v-3h4v2h3v-2h4v2h3v-2h4v2h3v-2h4v2h3v-2h4v3"
    return (
        f'<g stroke="{p.INK}" stroke-width="1.3" stroke-linejoin="round">'
        f'<path d="M-11-14v-32h-1.5v-6h4.5v2.5h4v-2.5h8v2.5h4v-2.5h4.5v6H11v32z" fill="{p.STONE_FACE}"/>'
        f'<path d="M-20 0v-19{teeth}h8V0z" fill="{p.STONE}"/>'
        f'<path d="M-30 1v-34h15V1q-7.5 3-15 0zM15 1v-34h15V1q-7.5 3-15 0z" fill="{p.STONE}"/>'
        f'<path d="M-32-32.5l9.5-17 9.5 17q-9.5 3-19 0zM13-32.5l9.5-17 9.5 17q-9.5 3-19 0z"'
        f' fill="{p.ROOF_BLUE}"/>'
        '<path d="M0-52v-9h9l-2.5 2.7 2.5 2.7h-9" fill="#7a4a9c"/></g>'
        '<path d="M-6 0v-7a6 6 0 0 1 12 0v7zM-3-38v-4a3 3 0 0 1 6 0v4zM-24-18v-5h3v5zM21-18v-5h3v5z"'
        f' fill="{p.WINDOW}"/>'
        f'<path d="M-4 0v-8M0 0v-12M4 0v-8" stroke="{p.STONE_FACE}" stroke-width=".9"/>'
        '<path d="M-22.5-49l8.3 15.8q-2.5 1-5 1.2zM22.5-49l8.3 15.8q-2.5 1-5 1.2z"'
        f' fill="{p.ROOF_BLUE_DARK}"/>'
    )


def _market() -> str:
    """Stalls under striped awnings, with fruit, barrels and sacks."""

    def stall(x: int, y: int, colour: str, wares: tuple[str, ...]) -> str:
        stripes = "".join(f"M{step}-24h4l.8 7h-4.8z" for step in (-9, -1, 7))
        fruit = "".join(
            f'<path d="{row}" stroke="{ink}" stroke-width="3.4" stroke-linecap="round"/>'
            for row, ink in zip(("M-8.5-8h0m4 0h0", "M-.5-8h0m4 0h0", "M7.5-8h0"), wares, strict=True)
        )
        return (
            f'<g transform="translate({x} {y})"><path d="M-12-17V2M12-17V2" stroke="{p.INK}"'
            ' stroke-width="1.8"/>'
            f'{fruit}<path d="M-12-6h24v7h-24z" fill="#b98a54" stroke="{p.INK}"/>'
            f'<path d="M-11-24h22l3 7h-28z" fill="{p.PLASTER}" stroke="{p.INK}" stroke-width="1.2"'
            f' stroke-linejoin="round"/><path d="{stripes}" fill="{colour}"/>'
            f'<path d="M-14-17q2.3 3.5 4.7 0 2.3 3.5 4.7 0 2.3 3.5 4.7 0 2.3 3.5 4.7 0 2.3 3.5 4.7 0'
            f' 2.3 3.5 4.5 0" fill="{p.PLASTER}" stroke="{p.INK}"/></g>'
        )

    barrels = (
        f'<g stroke="{p.INK}"><path d="M-4-10q4-1.5 8 0 1.8 5 0 10-4 1.5-8 0-1.8-5 0-10z" fill="#9c6b3c"/>'
        '<path d="M-4.8-7q4.8 1.5 9.6 0M-4.8-3q4.8 1.5 9.6 0" fill="none" stroke-width=".8"/></g>'
    )
    return (
        stall(-14, -22, "#3f7fa8", ("#d8b13c", "#8c3b55", "#d8b13c"))
        + stall(17, -18, "#c8553d", ("#7fa557", "#d9822b", "#7fa557"))
        + f'<g transform="translate(-30 -2)">{barrels}</g><g transform="translate(-20 0)">{barrels}</g>'
        + stall(4, 0, "#4f7a4a", ("#c8553d", "#f6d34f", "#c8553d"))
        + f'<path d="M24 1q-1-9 3-9.5l-1-2h5l-1 2q4 .5 3 9.5-4 1.5-9 0z" fill="#e8d8b0" stroke="{p.INK}"/>'
    )


def _forge() -> str:
    """A smithy with a glowing hearth under a smoking chimney, and an anvil before it."""
    return (
        '<path d="M17-47q-5-4-1-8t0-7" fill="none" stroke="#a9a29b" stroke-width="4" stroke-linecap="round"/>'
        f'<g stroke="{p.INK}" stroke-width="1.3" stroke-linejoin="round">'
        f'<path d="M11-22v-24h12v24z" fill="#8d7768"/><path d="M9-46h16v4H9z" fill="{p.STONE_FACE}"/>'
        f'<path d="M-24 0v-20h48V0z" fill="{p.STONE_FACE}"/>'
        f'<path d="M-29-18l10-18h38l10 18z" fill="#5b5350"/>'
        '<path d="M-6 0v-9a8 8 0 0 1 16 0v9z" fill="#3a2a22"/></g>'
        '<path d="M-3 0q-1-6 2.5-8 .5 3 2 3.5Q1-9 4-11.5q-.5 4 2 5.5.8 2 .5 6z" fill="#f08a2c"/>'
        '<path d="M0 0q0-3 2-4.5 2 1.5 2 4.5z" fill="#ffd95a"/>'
        + f'<path d="M-19-13h8v7h-8z" fill="#f2b04a" stroke="{p.INK}"/>'
        f'<path d="M-15-13v7M-19-9.5h8" stroke="{p.INK}"'
        ' stroke-width=".8"/>'
        '<path d="M-27-21l10-14M14-21l-7-14M-6-21l2-14M-16.5-21l6-14M4-21l-2-14" stroke="#7b716c"/>'
        + f'<g stroke="{p.INK}" stroke-linejoin="round">'
        '<path d="M15 5h12v-3h-3v-3l5-1q4-1 5-4H14q-4 0-6-1 1 5 8 5l2 1v3h-3z"'
        ' fill="#6f7680"/><path d="M12-7h19" stroke="#b9c0c8" stroke-width="1.4"/>'
        '<path d="M27-9l6-6" stroke="#8a5a30" stroke-width="2"/>'
        '<path d="M29-19l7 6-2.5 2.5-7-6z" fill="#4b4f56"/></g>'
    )


def _minster() -> str:
    """The cathedral, with a small house of the clergy."""
    return (
        f'<g transform="translate(27 0)">{house(p.ROOF, p.ROOF_DARK)}</g>'
        f'<g transform="translate(-6 -22) scale(1.12)">{cathedral()}</g>'
    )


_BUILDINGS: dict[str, Callable[[], str]] = {
    CASTLE: _castle,
    MARKET: _market,
    BLACKSMITH: _forge,
    CATHEDRAL: _minster,
}


ART = Art(
    tokens={"count": {"count": count}},
    cities={
        "count": CityArt(
            draw=carcassonne,
            size=(4, 3),
            middle=MIDDLE,
            outlines={quarter: quarter_outline(quarter) for quarter in QUARTERS},
            place=quarter_point,
            token_place=count_point,
        )
    },
)
