"""The large follower, inns and cathedrals."""

from __future__ import annotations

from .. import palette as p
from ..art import CLOAK, Art, FigureShape, Sign
from ..signs import cathedral


def _inn() -> str:
    """An inn by a pond, with its sign."""
    return (
        f'<ellipse cx="4" cy="5" rx="10" ry="5.5" fill="{p.WATER}" stroke="{p.BANK}" stroke-width="1.2"/>'
        f'<g stroke="{p.INK}" stroke-linejoin="round"><path d="M-10 4V-4h14v8z" fill="{p.PLASTER}"/>'
        f'<path d="M-12-4l4-7H3l4 7z" fill="{p.ROOF_DARK}"/></g>'
        f'<path d="M-7 4v-4h3v4zM-1-1h3v2.5h-3z" fill="{p.WINDOW}"/>'
        f'<path d="M4-3h5v2" fill="none" stroke="{p.INK}" stroke-width="1.2"/>'
        f'<circle cx="9" cy="1" r="2.4" fill="{p.FLOWER[1]}" stroke="{p.INK}" stroke-width=".8"/>'
    )


ART = Art(
    signs={"inn": Sign(_inn, (14.0, 12.5)), "cathedral": Sign(cathedral, (19.0, 22.0), first=True)},
    figures={
        "large": FigureShape(
            (CLOAK,),
            "scale(1.3)",
            "translate(0 6)scale(1.3)",
            lying=FigureShape((CLOAK,), "rotate(-90)scale(1.07 1.3)", "translate(5.7 0)scale(1.2)"),
        )
    },
)
