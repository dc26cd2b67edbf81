"""Meeples: a cloaked figure, which lies down as a farmer, and its relatives, in each seat's colour."""

from __future__ import annotations

from games.rules.tiles import FIELD

from .expansions import FIGURES
from .palette import INK, SEATS, SeatLook

CLOAK = (
    "M0-12.5c2.9 0 4.9 2.1 4.9 4.8 0 1.9-.8 3.2-1.8 4.1 4.2 1 6.6 4.4 7.9 9.8l1 3.9c.3 1.3-.4 2-1.7 2"
    "h-20.6c-1.3 0-2-.7-1.7-2l1-3.9c1.3-5.4 3.7-8.8 7.9-9.8-1-.9-1.8-2.2-1.8-4.1 0-2.7 2-4.8 4.9-4.8z"
)
MITRE = "M-4.6-9.5l-.8-5.2L0-20.5l5.4 5.8-.8 5.2q-4.6 1.6-9.2 0z"
HAT = "M-8.5-8.6q0-1.6 2.6-1.9 1.2-5.5 5.9-5.5t5.9 5.5q2.6.3 2.6 1.9z"
PIG = (
    "M-12 1c0-2.5 1.4-4.3 3-5.4l-.8-3.2 3.4 1.7c1.7-.7 3.9-1.1 6.4-1.1 6.5 0 11 3 11.5 7.5l1.7-1.3"
    ".8 1-2.8 2.6c-.6 2-2 3.7-4 4.9v3.8h-4.2v-2.3a22 22 0 0 1-6 0v2.3h-4.2v-3.7c-1.5-.8-2.7-1.9-3.4-3.2z"
)
EMBLEMS = {
    "cross": "M-1.3-4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z",
    "chevron": "M0-3.6l4.6 4.4v3.2l-4.6-4.2-4.6 4.2v-3.2z",
    "dot": "M-3.3 0a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z",
    "ring": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0z",
    "stripe": "M-5.4-1.6h10.8v3.2h-10.8z",
    "diamond": "M0-4.6l4.2 4.6-4.2 4.6-4.2-4.6z",
}
# By symbol: shapes drawn over one another, transform of the whole, and transform of the emblem.
KINDS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "m": ((CLOAK,), "", "translate(0 4.6)"),
    "l": ((CLOAK,), "rotate(-90)scale(.82 1)", "translate(4.4 0)scale(.9)"),
    "large": ((CLOAK,), "scale(1.3)", "translate(0 6)scale(1.3)"),
    "large-lying": ((CLOAK,), "rotate(-90)scale(1.07 1.3)", "translate(5.7 0)scale(1.2)"),
    "abbot": ((CLOAK, MITRE), "", "translate(0 4.6)"),
    "builder": ((CLOAK, HAT), "", "translate(0 4.6)"),
    "pig": ((PIG,), "", "translate(.8 .4)scale(.9)"),
    **FIGURES,
}
SYMBOLS = {
    "follower": ("m", "l"),
    "large": ("large", "large-lying"),
    "abbot": ("abbot", "abbot"),
    "builder": ("builder", "builder"),
    "pig": ("pig", "pig"),
    **{name: (name, name) for name in FIGURES},
}
"""Symbols of each kind of meeple: standing, and lying in a field."""


def get_figure_symbol(seat: int, meeple: str, on: str) -> str:
    """The name of the symbol that shows *meeple* of the seat's colour on a segment of kind *on*: a follower
    in a field lies down. ``KeyError`` for an unknown meeple."""
    standing, lying = SYMBOLS[meeple]
    return f"{lying if on == FIELD else standing}{seat}"


def draw_figure(look: SeatLook, kind: str) -> str:
    """A figure of *look* around the point (0, 0); *kind* is one of ``KINDS``."""
    shapes, transform, place = KINDS[kind]
    turn = f' transform="{transform}"' if transform else ""
    halo = "".join(shapes)
    return (
        f'<g stroke-linejoin="round"{turn}>'
        f'<path d="{halo}" fill="none" stroke="#fffaf0" stroke-opacity=".85" stroke-width="4"/>'
        + "".join(f'<path d="{d}" fill="{look.colour}" stroke="{INK}" stroke-width="1.6"/>' for d in shapes)
        + f'</g><path d="{EMBLEMS[look.emblem]}" fill="{look.ink}" fill-rule="evenodd" transform="{place}"/>'
    )


def draw_figures() -> str:
    """All figures as symbols: ``m0`` stands and ``l0`` lies, by the index of the seat's colour."""
    return "".join(
        f'<g id="{kind}{index}">{draw_figure(look, kind)}</g>'
        for index, look in enumerate(SEATS)
        for kind in KINDS
    )
