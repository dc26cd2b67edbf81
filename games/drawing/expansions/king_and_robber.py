"""The cards of King and Robber Baron, as tokens."""

from __future__ import annotations

from ..art import Art
from ..palette import INK


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


ART = Art(
    pictures={"king-and-robber": "king-and-robber.crossing-cities"},
    tokens={"king-and-robber": {"king": king, "robber": robber}},
)
