"""The figure of the Count of Carcassonne; ``quarters.py`` draws his city."""

from __future__ import annotations

from ..art import Art
from ..palette import INK

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


ART = Art(tokens={"count": {"count": count}})
