"""Buildings and signs that several sets or drawings share, each drawn around the point (0, 0)."""

from __future__ import annotations

from . import palette as p
from .curves import Point, number


def use(name: str, point: Point) -> str:
    """The building called *name* at *point*."""
    return f'<use href="#{name}" x="{number(point[0])}" y="{number(point[1])}"/>'


def house(roof: str, shade: str) -> str:
    """A small house with its gable to the left."""
    return (
        f'<path d="M-6 0v-5l3-4.6 9 4.6v5z" stroke="{p.INK}" stroke-width="1.4" stroke-linejoin="round"/>'
        f'<path d="M-6 0v-5l3-4.6 3 4.6v5z" fill="{p.PLASTER}"/>'
        f'<path d="M0 0v-5h6v5z" fill="{p.PLASTER_DARK}"/>'
        f'<path d="M-3-9.6h6.4L7-4.6H.2z" fill="{roof}" stroke="{p.INK}" stroke-width=".8"/>'
        f'<path d="M-7-4.4l4-5.6" stroke="{shade}" stroke-width="1.6"/>'
        f'<path d="M-4 0v-3h2v3z" fill="{p.WINDOW}"/>'
    )


def _water_gate() -> str:
    """An arch in a wall, for a river."""
    return (
        f'<path d="M-8 5V-2a8 7 0 0 1 16 0v7z" fill="{p.STONE_FACE}" stroke="{p.INK}"/>'
        f'<path d="M-5 5V0a5 5 0 0 1 10 0v5z" fill="{p.BANK}" stroke="{p.INK}"/>'
    )


def _lake() -> str:
    """The end of a river."""
    return (
        f'<ellipse rx="18" ry="15" fill="{p.WATER}" stroke="{p.BANK}" stroke-width="1.5"/>'
        f'<path d="M-9-4q3-2 6 0t6 0M-4 4q3-2 6 0t6 0" fill="none" stroke="{p.WATER_LIGHT}"/>'
        '<path d="M11-10v-8m2.4 8.5v-6m-5 5v-5" stroke="#5c7a35" stroke-width="1.3"/>'
    )


def _spring() -> str:
    """The source of a river, in a pool under rocks."""
    return (
        f'<ellipse cy="4" rx="17" ry="10.5" fill="{p.WATER}" stroke="{p.BANK}" stroke-width="1.5"/>'
        f'<g stroke="{p.INK}" stroke-linejoin="round">'
        f'<path d="M-16 3l1-8 5-5 6-2 3-8 6-3 6 5 1 6 4 3 1 10q-16 6-33 2z" fill="{p.STONE_FACE}"/>'
        f'<path d="M-19 6q-1-6 4-7 5 0 6 6-5 3-10 1zM12 7q0-7 5-6 5 1 4 6-5 2-9 0z" fill="#9b8d77"/></g>'
        f'<path d="M-10-10l2 4-2 5M-4-12l4 3 1 3M11-15l-3 5" fill="none" stroke="{p.STONE_DARK}"'
        ' stroke-width=".9"/>'
        f'<path d="M-2-3q2.5-2 5 0l1.5 8q-4 2.5-8 0z" fill="{p.WATER_LIGHT}"/>'
        '<path d="M-.5-1v6M2-1v6" stroke="#fff" stroke-opacity=".7" stroke-width=".8"/>'
        f'<path d="M-8 9q3-1.5 5 0m6 1q3-1.5 5 0" fill="none" stroke="{p.WATER_LIGHT}"'
        ' stroke-linecap="round"/>'
    )


def cathedral() -> str:
    """A great church with two spires and a rose window."""
    windows = "M-14.5 4v-6a1.5 1.5 0 0 1 3 0v6zM11.5 4v-6a1.5 1.5 0 0 1 3 0v6z"
    return (
        f'<g stroke="{p.INK}" stroke-width="1.2" stroke-linejoin="round">'
        f'<path d="M-10 20V-6L0-15 10-6v26z" fill="{p.STONE}"/>'
        f'<path d="M-18 20V-10h10v30zM8 20v-30h10v30z" fill="{p.PLASTER}"/>'
        f'<path d="M-19-10l6-14 6 14zM7-10l6-14 6 14z" fill="{p.ROOF_BLUE}"/>'
        f'<circle cy="-2" r="4.5" fill="{p.SHIELD}"/></g>'
        f'<path d="M-4 20v-7a4 4 0 0 1 8 0v7z{windows}" fill="{p.WINDOW}"/>'
        f'<path d="M0-6.5v9M-4.5-2h9" stroke="{p.SHIELD_TRIM}" stroke-width=".9"/>'
    )


def signs() -> dict[str, str]:
    """Return the signs of rivers, by name."""
    return {
        "water-gate": _water_gate(),
        "lake": _lake(),
        "spring": _spring(),
    }
