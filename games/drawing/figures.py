"""Meeples: a cloaked figure, which lies down as a farmer. Each seat has its colour and its emblem."""

from __future__ import annotations

from .palette import INK, SEATS, Look

BODY = (
    "M0-12.5c2.9 0 4.9 2.1 4.9 4.8 0 1.9-.8 3.2-1.8 4.1 4.2 1 6.6 4.4 7.9 9.8l1 3.9c.3 1.3-.4 2-1.7 2"
    "h-20.6c-1.3 0-2-.7-1.7-2l1-3.9c1.3-5.4 3.7-8.8 7.9-9.8-1-.9-1.8-2.2-1.8-4.1 0-2.7 2-4.8 4.9-4.8z"
)
EMBLEMS = {
    "cross": "M-1.3-4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z",
    "chevron": "M0-3.6l4.6 4.4v3.2l-4.6-4.2-4.6 4.2v-3.2z",
    "dot": "M-3.3 0a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z",
    "ring": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0z",
    "stripe": "M-5.4-1.6h10.8v3.2h-10.8z",
    "diamond": "M0-4.6l4.2 4.6-4.2 4.6-4.2-4.6z",
}


def figure(look: Look, lying: bool) -> str:
    """A follower of *look* around the point (0, 0)."""
    turn = ' transform="rotate(-90)scale(.82 1)"' if lying else ""
    place = "translate(4.4 0)scale(.9)" if lying else "translate(0 4.6)"
    return (
        f'<g stroke-linejoin="round"{turn}>'
        f'<path d="{BODY}" fill="none" stroke="#fffaf0" stroke-opacity=".85" stroke-width="4"/>'
        f'<path d="{BODY}" fill="{look.colour}" stroke="{INK}" stroke-width="1.6"/></g>'
        f'<path d="{EMBLEMS[look.emblem]}" fill="{look.ink}" fill-rule="evenodd" transform="{place}"/>'
    )


def figures() -> str:
    """All figures as symbols: ``m0`` stands and ``l0`` lies, by the index of the seat's colour."""
    return "".join(
        f'<g id="{letter}{index}">{figure(look, lying)}</g>'
        for index, look in enumerate(SEATS)
        for letter, lying in (("m", False), ("l", True))
    )
