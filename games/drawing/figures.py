"""Meeples: a cloaked figure, which lies down as a farmer, and its relatives, in each seat's colour."""

from __future__ import annotations

from collections.abc import Callable

from games.rules.tiles import FIELD

from .palette import INK, SEATS, Look

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
# By symbol: what is drawn over one another, how the whole is turned or scaled, and where the emblem goes.
KINDS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "m": ((CLOAK,), "", "translate(0 4.6)"),
    "l": ((CLOAK,), "rotate(-90)scale(.82 1)", "translate(4.4 0)scale(.9)"),
    "large": ((CLOAK,), "scale(1.3)", "translate(0 6)scale(1.3)"),
    "large-lying": ((CLOAK,), "rotate(-90)scale(1.07 1.3)", "translate(5.7 0)scale(1.2)"),
    "abbot": ((CLOAK, MITRE), "", "translate(0 4.6)"),
    "builder": ((CLOAK, HAT), "", "translate(0 4.6)"),
    "pig": ((PIG,), "", "translate(.8 .4)scale(.9)"),
}
SYMBOLS = {
    "follower": ("m", "l"),
    "large": ("large", "large-lying"),
    "abbot": ("abbot", "abbot"),
    "builder": ("builder", "builder"),
    "pig": ("pig", "pig"),
}
"""By kind of meeple: its symbol where it stands, and in a field."""


def figure_symbol(seat: int, meeple: str, on: str) -> str:
    """The name of the symbol that shows *meeple* of the seat's colour on a segment of kind *on*: a follower
    in a field lies down. ``KeyError`` for an unknown meeple."""
    standing, lying = SYMBOLS[meeple]
    return f"{lying if on == FIELD else standing}{seat}"


def figure(look: Look, kind: str) -> str:
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


CAPE = (
    "M0-8c6.5 0 10.5 5 12.5 13.5l1.8 7c.3 1.4-.4 2.2-1.8 2.2"
    "h-25c-1.4 0-2.1-.8-1.8-2.2l1.8-7C-10.5-3-6.5-8 0-8z"
)
CROWN = "M-6.4-14l-1.4-8 4.2 3.4L0-24l3.6 5.4L7.8-22l-1.4 8q-6.4 2-12.8 0z"
GINGERBREAD = (
    "M-4.6-5.5a6.4 6.4 0 1 1 9.2 0c1.5.6 4 .2 6.4-.9a3.3 3.3 0 0 1 2.6 6.1c-2.6 1.2-4.8 1.6-6.4 1.5"
    ".1 2.3 1.5 5 3.6 7.6a3.4 3.4 0 0 1-5.3 4.3c-2.2-2.7-3.6-5-5.5-5s-3.3 2.3-5.5 5a3.4 3.4 0 0 1-5.3-4.3"
    "c2.1-2.6 3.5-5.3 3.6-7.6-1.6.1-3.8-.3-6.4-1.5a3.3 3.3 0 0 1 2.6-6.1c2.4 1.1 4.9 1.5 6.4.9z"
)


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


def gingerbread() -> str:
    """The Gingerbread Man: brown, with icing."""
    icing = "M-9.5-2.5l1.5 2.5M9.5-2.5l-1.5 2.5M-7.5 10.5l2.6 1.6M7.5 10.5l-2.6 1.6"
    return (
        '<g stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{GINGERBREAD}" fill="none" stroke="#fffaf0" stroke-opacity=".9" stroke-width="4.4"/>'
        f'<path d="{GINGERBREAD}" fill="#b0713a" stroke="{INK}" stroke-width="1.5"/>'
        f'<path d="{icing}M-2.6-8.5q2.6 2.6 5.2 0" fill="none" stroke="#fff6e4" stroke-width="1.3"/>'
        f'<path d="M-2.5-11.5h0m5 0h0" stroke="{INK}" stroke-width="1.7"/>'
        '<path d="M0-2.5h0M0 1.5h0M0 5.5h0" stroke="#d5402c" stroke-width="2.2"/></g>'
    )


def king() -> str:
    """The King's token: a crown on purple."""
    return _token(
        "#6d3f96",
        '<path d="M-8.5 5.5l-2-11.5 6 4.5L0-9l4.5 7.5 6-4.5-2 11.5q-8.5 2.5-17 0z" fill="#f4c531"'
        f' stroke="{INK}"'
        ' stroke-width="1.4" stroke-linejoin="round"/>'
        '<path d="M-5 2.5h0M0 3.2h0M5 2.5h0" stroke="#c8402c" stroke-width="2.6" stroke-linecap="round"/>',
    )


def robber() -> str:
    """The Robber Baron's token: a hooded face with a mask."""
    return _token(
        "#8b6b43",
        f'<path d="M-9.5 9q-1.5-17 9.5-20 11 3 9.5 20-9.5 4-19 0z" fill="#3f5f30" stroke="{INK}"'
        ' stroke-width="1.4"/>'
        f'<path d="M-5.8 5q-2-10 5.8-11.5Q7.8-5 5.8 5 0 10-5.8 5z" fill="#f0cfa6" stroke="{INK}"/>'
        f'<path d="M-6.6-2.5q6.6-2 13.2 0v3.2q-3 1.8-6.6-.7-3.6 2.5-6.6.7z" fill="{INK}"/>'
        '<path d="M-3-.9h0M3-.9h0" stroke="#fffaf0" stroke-width="1.8" stroke-linecap="round"/>',
    )


def _token(ground: str, picture: str) -> str:
    """A round token with a golden rim."""
    return (
        '<circle r="15" fill="none" stroke="#fffaf0" stroke-opacity=".9" stroke-width="4"/>'
        f'<circle r="14.5" fill="#e3b23c" stroke="{INK}" stroke-width="1.5"/>'
        f'<circle r="11.8" fill="{ground}" stroke="{INK}" stroke-width=".8"/>{picture}'
    )


TOKENS: dict[str, dict[str, Callable[[], str]]] = {
    "count": {"count": count},
    "winter": {"gingerbread": gingerbread},
    "king-and-robber": {"king": king, "robber": robber},
}
"""By set: the figures and tokens that are no seat's, by the name of their symbol."""


def figures() -> str:
    """All figures as symbols: ``m0`` stands and ``l0`` lies, by the index of the seat's colour."""
    return "".join(
        f'<g id="{kind}{index}">{figure(look, kind)}</g>'
        for index, look in enumerate(SEATS)
        for kind in KINDS
    )
