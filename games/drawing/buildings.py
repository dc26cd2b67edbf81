"""What stands upright on a tile. Each thing is drawn once, around the point (0, 0), and used by its name."""

from __future__ import annotations

from . import palette as p
from .curves import Point, number


def use(name: str, point: Point) -> str:
    """The building called *name* at *point*."""
    return f'<use href="#{name}" x="{number(point[0])}" y="{number(point[1])}"/>'


def _shield() -> str:
    """A city's shield: quartered, with a cream rim."""
    d = "M-6.5-8.5H6.5V.5C6.5 5 3.5 7.6 0 9.5C-3.5 7.6-6.5 5-6.5.5z"
    return (
        f'<path d="{d}" fill="{p.SHIELD}" stroke="{p.INK}" stroke-width="3.4"/>'
        f'<path d="M0-8.5H6.5V0H-6.5V.5C-6.5 5-3.5 7.6 0 9.5z" fill="{p.SHIELD_TRIM}"/>'
        f'<path d="{d}" fill="none" stroke="{p.SHIELD_TRIM}" stroke-width="1.4"/>'
    )


def _tower() -> str:
    """A round tower on a wall, with a pointed roof."""
    return (
        f'<path d="M-3.6-4V3.4q3.6 1.8 7.2 0V-4z" fill="{p.STONE}" stroke="{p.INK}" stroke-width=".9"/>'
        f'<path d="M.6-4V4q1.8-.2 3-.6V-4z" fill="{p.STONE_FACE}"/>'
        f'<path d="M-5-3.6L0-11.6 5-3.6q-5 2-10 0z" fill="{p.ROOF}" stroke="{p.INK}" stroke-width=".9"'
        ' stroke-linejoin="round"/>'
        f'<path d="M0-11.6L5-3.6q-2 .8-4 .9z" fill="{p.ROOF_DARK}"/>'
    )


def _gate() -> str:
    """A gatehouse: a wall with merlons and an arch."""
    return (
        f'<path d="M-8 4.5V-11h3.2v2h3.2v-2h3.2v2h3.2v-2H8V4.5z" fill="{p.STONE}" stroke="{p.INK}"/>'
        f'<path d="M-3.6 4.5V-.5a3.6 3.6 0 0 1 7.2 0v5z" fill="{p.INK}"/>'
    )


def house(roof: str, shade: str) -> str:
    """A small house with its gable to the left."""
    return (
        f'<path d="M-6 0v-5l3-4.6 9 4.6v5z" stroke="{p.INK}" stroke-width="1.4" stroke-linejoin="round"/>'
        f'<path d="M-6 0v-5l3-4.6 3 4.6v5z" fill="{p.PLASTER}"/><path d="M0 0v-5h6v5z" fill="{p.PLASTER_DARK}"/>'
        f'<path d="M-3-9.6h6.4L7-4.6H.2z" fill="{roof}" stroke="{p.INK}" stroke-width=".8" stroke-linejoin="round"/>'
        f'<path d="M-7-4.4l4-5.6" stroke="{shade}" stroke-width="1.6"/>'
        f'<path d="M-4 0v-3h2v3z" fill="{p.INK}"/>'
    )


def _village() -> str:
    """A few houses on trodden ground, where roads end."""
    return (
        f'<ellipse rx="15" ry="13.5" fill="{p.PLAZA}" stroke="{p.ROAD_RIM}" stroke-width="1.6"/>'
        + use("house", (-6, -1))
        + use("blue-house", (7, 1))
        + use("house", (-1, 9))
    )


def _close() -> str:
    """The hedged ground of a monastery or shrine."""
    return (
        f'<ellipse cy="2" rx="28" ry="21" fill="{p.CLOISTER}" stroke="{p.CLOISTER_RIM}" stroke-width="2.2"'
        ' stroke-dasharray="3 1.2"/>'
    )


def _monastery() -> str:
    """A church with its tower and a cross."""
    return (
        '<g transform="translate(-3 10)">'
        f'<g stroke="{p.INK}" stroke-width="1.2" stroke-linejoin="round">'
        f'<path d="M-4-16h24v16h-24z" fill="{p.PLASTER}"/>'
        f'<path d="M-4-15l5-11h16l5 11z" fill="{p.ROOF}"/>'
        f'<path d="M-18-26h14V0h-14z" fill="{p.PLASTER}"/>'
        f'<path d="M-20-26l9-16 9 16z" fill="{p.ROOF_DARK}"/></g>'
        f'<path d="M-11-52v11M-14.5-48.5h7" stroke="{p.INK}" stroke-width="1.8"/>'
        '<path d="M-14 0v-7a3 3 0 0 1 6 0v7zM1-4v-5a1.8 1.8 0 0 1 3.6 0v5zM8-4v-5a1.8 1.8 0 0 1 3.6 0v5z'
        f'M15-4v-5a1.8 1.8 0 0 1 3.6 0v5zM-12.8-16v-4a1.8 1.8 0 0 1 3.6 0v4z" fill="{p.INK}"/></g>'
    )


def _shrine() -> str:
    """A round shrine under a dome, between pillars."""
    return (
        '<g transform="translate(-2 10)">'
        f'<g stroke="{p.INK}" stroke-width="1.2" stroke-linejoin="round">'
        f'<path d="M-18-4h36V0h-36z" fill="{p.STONE}"/>'
        f'<path d="M-13-20h4V-4h-4zM-2-20h4V-4h-4zM9-20h4V-4h-4z" fill="{p.PLASTER}"/>'
        f'<path d="M-17-20a17 14 0 0 1 34 0z" fill="{p.ROOF_BLUE}"/></g></g>'
    )


def _garden() -> str:
    """Beds of flowers in a low hedge."""
    return (
        f'<path d="M-11-9h22V9h-22z" fill="{p.GRASS_DARK}" stroke="{p.TREE_DARK}" stroke-width="2"'
        ' stroke-linejoin="round"/>'
    )


def buildings() -> str:
    """All of them, as symbols."""
    drawn = {
        "house": house(p.ROOF, p.ROOF_DARK),
        "blue-house": house(p.ROOF_BLUE, p.ROOF_BLUE_DARK),
        "shield": _shield(),
        "tower": _tower(),
        "gate": _gate(),
        "village": _village(),
        "close": _close(),
        "monastery": _monastery(),
        "shrine": _shrine(),
        "garden": _garden(),
    }
    return "".join(f'<g id="{name}">{svg}</g>' for name, svg in drawn.items())
