"""The builder, the goods, and pigs."""

from __future__ import annotations

from .. import palette as p
from ..art import CLOAK, ON_CLOAK, Art, FigureShape, Sign

HAT = "M-8.5-8.6q0-1.6 2.6-1.9 1.2-5.5 5.9-5.5t5.9 5.5q2.6.3 2.6 1.9z"
PIG = (
    "M-12 1c0-2.5 1.4-4.3 3-5.4l-.8-3.2 3.4 1.7c1.7-.7 3.9-1.1 6.4-1.1 6.5 0 11 3 11.5 7.5l1.7-1.3"
    ".8 1-2.8 2.6c-.6 2-2 3.7-4 4.9v3.8h-4.2v-2.3a22 22 0 0 1-6 0v2.3h-4.2v-3.7c-1.5-.8-2.7-1.9-3.4-3.2z"
)


def _ware(picture: str) -> str:
    """A round sign for goods."""
    return f'<circle r="9" fill="{p.SHIELD_TRIM}" stroke="{p.INK}" stroke-width="1.6"/>{picture}'


def _wine() -> str:
    hoops = "M-5.3-2.5q5.3 1.6 10.6 0M-5.3 2.5q5.3 1.6 10.6 0"
    return _ware(
        f'<path d="M-4.5-5.5q4.5-2 9 0 2 5.5 0 11-4.5 2-9 0-2-5.5 0-11z" fill="#8c3b55" stroke="{p.INK}"/>'
        f'<path d="{hoops}" fill="none" stroke="{p.FLOWER[1]}"/>'
    )


def _grain() -> str:
    ears = "M0-6l-2.5-1.5M0-6l2.5-1.5M-1.8-3l-3-1.5M1.8-3l3-1.5M-2.3 0l-3-1.5M2.3 0l3-1.5"
    return _ware(
        '<path d="M0 7v-13M-3.5 6.5l2-12M3.5 6.5l-2-12" stroke="#a9791f" stroke-width="1.3"/>'
        f'<path d="{ears}" stroke="#d9a227" stroke-width="2" stroke-linecap="round"/>'
        '<path d="M-4 3h8" stroke="#7c4f1c" stroke-width="1.6"/>'
    )


def _cloth() -> str:
    return _ware(
        f'<path d="M-6-3.5L3-5.5V3.5L-6 5.5z" fill="#4b8f8c" stroke="{p.INK}"/>'
        f'<ellipse cx="4" cy="-1" rx="2.6" ry="4.5" fill="#76b5b0" stroke="{p.INK}"/>'
        f'<ellipse cx="4" cy="-1" rx=".9" ry="1.8" fill="{p.INK}"/>'
    )


def _pig_herd() -> str:
    """Two pigs."""
    pig = (
        f'<ellipse rx="6.5" ry="4.2" fill="#e7a7a0" stroke="{p.INK}" stroke-width=".9"/>'
        f'<path d="M-4 3.5v3M4 3.5v3" stroke="{p.INK}" stroke-width="1.6"/>'
        f'<circle cx="-6.5" cy="-1" r="3.2" fill="#efbab3" stroke="{p.INK}" stroke-width=".9"/>'
        '<circle cx="-8.3" cy="-.6" r="1" fill="#b9655e"/>'
        f'<path d="M-7.5-3.4l.6-2.4 2 1.7z" fill="#d98f88" stroke="{p.INK}" stroke-width=".7"/>'
        f'<path d="M-6.2-1.8h0" stroke="{p.INK}" stroke-width="1.1" stroke-linecap="round"/>'
        '<path d="M6-1q2.5-1 1.5-3" fill="none" stroke="#b9655e"/>'
    )
    grass = "M-15 9l-1-3m1 3l1-3M12 8l-1-3m1 3l1-3"
    return (
        f'<ellipse cy="6" rx="15" ry="5.5" fill="{p.TREE_SHADE}"/>'
        f'<path d="{grass}" fill="none" stroke="{p.GRASS_DARK}" stroke-width="1.2"/>'
        f'<g transform="translate(7 -4) scale(1.15)">{pig}</g>'
        f'<g transform="translate(-3 4.5) scale(1.25)">{pig}</g>'
    )


ART = Art(
    pictures={"traders-and-builders": "traders-and-builders.corner-wine"},
    signs={
        "wine": Sign(_wine, (9.0, 9.0)),
        "grain": Sign(_grain, (9.0, 9.0)),
        "cloth": Sign(_cloth, (9.0, 9.0)),
        "pig_herd": Sign(_pig_herd, (16.0, 11.0)),
    },
    figures={
        "builder": FigureShape((CLOAK, HAT), "", ON_CLOAK),
        "pig": FigureShape((PIG,), "", "translate(.8 .4)scale(.9)"),
    },
)
