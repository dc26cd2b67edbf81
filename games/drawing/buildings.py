"""The buildings on a tile. Each is drawn once, around the point (0, 0), and used by its name."""

from __future__ import annotations

from functools import cache
from math import cos, sin, tau

from . import palette as p
from .curves import numbers
from .expansions import SIGNS
from .signs import house, signs, use


def _shield() -> str:
    """A city's shield: quartered, with a cream rim."""
    d = "M-6.5-8.5H6.5V.5C6.5 5 3.5 7.6 0 9.5C-3.5 7.6-6.5 5-6.5.5z"
    return (
        f'<path d="{d}" fill="{p.SHIELD}" stroke="{p.INK}" stroke-width="3.4"/>'
        f'<path d="M0-8.5H6.5V0H-6.5V.5C-6.5 5-3.5 7.6 0 9.5z" fill="{p.SHIELD_TRIM}"/>'
        f'<path d="{d}" fill="none" stroke="{p.SHIELD_TRIM}" stroke-width="1.4"/>'
    )


def _gate() -> str:
    """A gatehouse: two towers with roofs and an arch between them."""
    return (
        f'<g stroke="{p.INK}" stroke-linejoin="round">'
        f'<path d="M-5-7v-3h2v1.6h2v-1.6h2v1.6h2v-1.6h2V6H-5z" fill="{p.STONE_FACE}"/>'
        f'<path d="M-3 6V1a3 3 0 0 1 6 0v5z" fill="{p.INK}"/>'
        f'<path d="M-11-6h7V6h-7zM4-6h7V6H4z" fill="{p.STONE}"/>'
        f'<path d="M-12.5-5.5l5-8.5 5 8.5zM2.5-5.5l5-8.5 5 8.5z" fill="{p.ROOF_BLUE}"/></g>'
        f'<path d="M-7.5-1v3M7.5-1v3" stroke="{p.WINDOW}" stroke-width="1.4"/>'
    )


def _bastion() -> str:
    """A strong tower of the wall of Carcassonne, with a slate roof."""
    return (
        f'<g stroke="{p.INK}" stroke-width="1.2" stroke-linejoin="round">'
        f'<path d="M-6.5-8V6q6.5 3 13 0V-8z" fill="{p.STONE}"/>'
        f'<path d="M2-8V7.3q2.6-.3 4.5-1.3V-8z" fill="{p.STONE_FACE}" stroke="none"/>'
        f'<path d="M-7.5-10h15v3.4q-7.5 2.4-15 0z" fill="{p.STONE_FACE}"/>'
        f'<path d="M-8.5-9.5L0-24 8.5-9.5q-8.5 2.6-17 0z" fill="{p.ROOF_BLUE}"/></g>'
        f'<path d="M0-23l7.6 13.2q-3 1-5.4 1z" fill="{p.ROOF_BLUE_DARK}"/>'
        f'<path d="M-2.2-3v4" stroke="{p.WINDOW}" stroke-width="1.6"/>'
    )


def _passage() -> str:
    """An arch in a wall, for a city that another one crosses."""
    return (
        f'<path d="M-9 7V-3a9 8 0 0 1 18 0V7z" fill="{p.STONE_FACE}" stroke="{p.INK}"/>'
        f'<path d="M-6 7V-1a6 6 0 0 1 12 0v8z" fill="{p.CITY_DARK}" stroke="{p.INK}"/>'
        f'<path d="M-6 7V-1a6 6 0 0 1 12 0l-3 1q-3-4-6 0v7z" fill="{p.INK}" fill-opacity=".45"/>'
    )


def _village() -> str:
    """A few houses on trodden ground, where roads end."""
    return (
        f'<ellipse cy="1" rx="15.5" ry="13.5" fill="{p.PLAZA}" stroke="{p.ROAD_RIM}" stroke-width="1.6"/>'
        f'<ellipse cy="1" rx="12.5" ry="10.5" fill="none" stroke="{p.ROAD_TRACK}" stroke-width="1.2"/>'
        + use("house", (-7, 0))
        + use("blue-house", (7, 2))
        + use("house", (-1, 11))
    )


def _hamlet() -> str:
    """Two houses between two gates."""
    return (
        f'<ellipse cy="-1" rx="15.5" ry="10" fill="{p.PLAZA}" stroke="{p.ROAD_RIM}" stroke-width="1.6"/>'
        + use("house", (-7, 2))
        + use("blue-house", (7, 3))
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
        f'M15-4v-5a1.8 1.8 0 0 1 3.6 0v5zM-12.8-16v-4a1.8 1.8 0 0 1 3.6 0v4z" fill="{p.WINDOW}"/></g>'
    )


def _precinct() -> str:
    """The ground of a shrine: bare earth within a ring of standing stones."""
    stones = "".join(
        f"M{numbers((26 * cos(turn / 14 * tau), 3 + 19.5 * sin(turn / 14 * tau)))}"
        "m-2.2 1.5l.5-6q1.7-1.6 3.4 0l.5 6z"
        for turn in (3.5, 2, 5, 1, 6, 0, 7, 13, 8, 12, 9, 11)
    )
    return (
        f'<ellipse cy="2" rx="27" ry="20" fill="{p.PRECINCT}" stroke="{p.PRECINCT_RIM}" stroke-width="1.4"/>'
        f'<path d="{stones}" fill="{p.STONE_FACE}" stroke="{p.INK}" stroke-linejoin="round"/>'
    )


def _shrine() -> str:
    """A round temple with a purple dome and a golden sun, a fire burning within."""
    return (
        '<g transform="translate(-2 10)">'
        f'<g stroke="{p.INK}" stroke-width="1.2" stroke-linejoin="round">'
        f'<path d="M-19 0v-3.5h38V0zM-16.5-3.5v-3.5h33v3.5z" fill="{p.STONE}"/>'
        '<path d="M-11-7v-13h22v13z" fill="#4d3a4f"/>'
        f'<path d="M-14-7v-13h4.4v13zM9.6-7v-13H14v13z" fill="{p.PLASTER}"/>'
        f'<path d="M-17-20q0-3.5 3-3.5h28q3 0 3 3.5z" fill="{p.STONE}"/>'
        f'<path d="M-14.5-23.5Q-14-37 0-37.5 14-37 14.5-23.5z" fill="{p.SHRINE}"/>'
        '<circle cy="-40.5" r="3.4" fill="#f4c531"/></g>'
        f'<path d="M6-36q7 2.5 8 12H8q1-7-2-12z" fill="{p.SHRINE_DARK}"/>'
        '<path d="M-6-25.5q-1-7 3.5-10" fill="none" stroke="#a67fc0" stroke-width="1.5"'
        ' stroke-linecap="round"/>'
        '<path d="M-3.6-8.5q-2.4-4 1-7 .4 2 1.6 2.2-.4-3 2-4.7-.2 3 2 4.7 2 2 .6 4.8z" fill="#f08a2c"/>'
        '<path d="M-1.4-8.5q-.6-2.5 1.4-4 2 1.5 1.4 4z" fill="#ffd95a"/>'
        f'<path d="M-5.5-9.5h11l-2 2.5h-7z" fill="{p.STONE_FACE}" stroke="{p.INK}" stroke-width=".8"/></g>'
    )


def _garden() -> str:
    """Four beds of flowers around a tree, within a hedge."""
    beds = "M-8.5-8.5h7v7h-7zM1.5-8.5h7v7h-7zM-8.5 1.5h7v7h-7zM1.5 1.5h7v7h-7z"
    pink = "M-7-7h0m3 0h0m-3 3.5h0m3.5.5h0M3.5 3h0m3 1h0m-3.5 2.5h0m3.5.7h0"
    gold = "M3-7h0m3.5.5h0m-3.5 3h0m3.5.5h0M-7 3.5h0m3.5 0h0m-3 3.3h0m3.3.2h0"
    hedge = '<rect x="-12" y="-12" width="24" height="24" rx="4"'
    return (
        f'{hedge} fill="{p.PLAZA}" stroke="{p.TREE_DARK}" stroke-width="3"/>'
        f'{hedge} fill="none" stroke="{p.TREE}" stroke-width="1.8" stroke-dasharray="2.6 1"/>'
        f'<path d="{beds}" fill="{p.GRASS_DARK}"/>'
        f'<g fill="none" stroke-linecap="round" stroke-width="2.3"><path d="{pink}" stroke="{p.FLOWER[0]}"/>'
        f'<path d="{gold}" stroke="{p.FLOWER[1]}"/></g>'
        f'<circle r="3.4" fill="{p.TREE}" stroke="{p.TREE_DARK}"/>'
        f'<circle cx="-.9" cy="-1" r="1.3" fill="{p.TREE_LIGHT}"/>'
    )


def _square() -> str:
    """A market square with a fountain, over a corner where four tiles of one city meet."""
    return (
        f'<circle r="17.5" fill="{p.CITY}"/>'
        f'<circle r="11" fill="{p.CITY_LIGHT}" stroke="{p.CITY_DARK}" stroke-dasharray="3 1.5"/>'
        f'<ellipse cy="2" rx="6" ry="4.4" fill="{p.STONE}" stroke="{p.INK}"/>'
        f'<ellipse cy="1.4" rx="4.2" ry="2.6" fill="{p.WATER}"/>'
        f'<path d="M0 2v-6" stroke="{p.STONE_FACE}" stroke-width="1.8"/>'
        f'<path d="M-3 .6q.4-5 3-5t3 5" fill="none" stroke="{p.WATER_LIGHT}"/>'
    )


@cache
def buildings() -> dict[str, str]:
    """Return all buildings by the name of their symbol."""
    return {
        "house": house(p.ROOF, p.ROOF_DARK),
        "blue-house": house(p.ROOF_BLUE, p.ROOF_BLUE_DARK),
        "shield": _shield(),
        "gate": _gate(),
        "bastion": _bastion(),
        "passage": _passage(),
        "village": _village(),
        "hamlet": _hamlet(),
        "close": _close(),
        "precinct": _precinct(),
        "monastery": _monastery(),
        "shrine": _shrine(),
        "garden": _garden(),
        "square": _square(),
        **signs(),
        **{name: sign.draw() for name, sign in SIGNS.items()},
    }
