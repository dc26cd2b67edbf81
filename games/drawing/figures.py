"""Meeples: a cloaked figure, which lies down as a farmer, and its relatives, in each seat's colour."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.tiles import FIELD, FOLLOWER

from .art import CLOAK, ON_CLOAK, FigureShape
from .expansions import FIGURES
from .palette import INK, SEATS, SeatLook

FOLLOWERS: Mapping[str, FigureShape] = {
    "m": FigureShape((CLOAK,), "", ON_CLOAK),
    "l": FigureShape((CLOAK,), "rotate(-90)scale(.82 1)", "translate(4.4 0)scale(.9)"),
}
"""By symbol: standing and lying."""
EMBLEMS = {
    "cross": "M-1.3-4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z",
    "chevron": "M0-3.6l4.6 4.4v3.2l-4.6-4.2-4.6 4.2v-3.2z",
    "dot": "M-3.3 0a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z",
    "ring": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0z",
    "stripe": "M-5.4-1.6h10.8v3.2h-10.8z",
    "diamond": "M0-4.6l4.2 4.6-4.2 4.6-4.2-4.6z",
}
KINDS: Mapping[str, FigureShape] = {
    **FOLLOWERS,
    **FIGURES,
    **{f"{name}-lying": shape.lying for name, shape in FIGURES.items() if shape.lying},
}
"""By symbol."""
SYMBOLS: Mapping[str, tuple[str, str]] = {
    FOLLOWER: ("m", "l"),
    **{name: (name, f"{name}-lying" if shape.lying else name) for name, shape in FIGURES.items()},
}
"""Symbols of each kind of meeple: standing, and lying in a field."""


def get_figure_symbol(seat: int, meeple: str, on: str) -> str:
    """The name of the symbol that shows *meeple* of the seat's colour on a segment of kind *on*: a follower
    in a field lies down. ``KeyError`` for an unknown meeple."""
    standing, lying = SYMBOLS[meeple]
    return f"{lying if on == FIELD else standing}{seat}"


def draw_figure(look: SeatLook, kind: str) -> str:
    """A figure of *look* around the point (0, 0); *kind* is one of ``KINDS``."""
    shape = KINDS[kind]
    turn = f' transform="{shape.transform}"' if shape.transform else ""
    outline = "".join(shape.paths)
    return (
        f'<g stroke-linejoin="round"{turn}>'
        f'<path d="{outline}" fill="none" stroke="#fffaf0" stroke-opacity=".85" stroke-width="4"/>'
        + "".join(
            f'<path d="{d}" fill="{look.colour}" stroke="{INK}" stroke-width="1.6"/>' for d in shape.paths
        )
        + f'</g><path d="{EMBLEMS[look.emblem]}" fill="{look.ink}" fill-rule="evenodd"'
        f' transform="{shape.emblem}"/>'
    )


def draw_figures() -> str:
    """All figures as symbols: ``m0`` stands and ``l0`` lies, by the index of the seat's colour."""
    return "".join(
        f'<g id="{kind}{index}">{draw_figure(look, kind)}</g>'
        for index, look in enumerate(SEATS)
        for kind in KINDS
    )
