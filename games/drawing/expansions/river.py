"""The volcano; springs, lakes and water gates are drawn with the water."""

from __future__ import annotations

from .. import palette as p
from ..art import Art, Sign


def _volcano() -> str:
    """A smoking mountain."""
    return (
        f'<path d="M-20 15L-6-11q6 3 12 0L20 15q-20 6-40 0z" fill="#7d6a5c" stroke="{p.INK}"/>'
        '<path d="M6-11L20 15q-6 2-12 2.5z" fill="#5f5047"/>'
        '<path d="M-6-11q6 3 12 0l1 4-3 2 1 6-4-3-3 7-1-8-4-3z" fill="#e2622b"/>'
        '<path d="M-1-12q-4-2-1-5" fill="none" stroke="#cfc8c0" stroke-width="3" stroke-linecap="round"/>'
    )


ART = Art(
    pictures={"river1": "river1.city-bridge", "river2": "river2.fork"},
    signs={"volcano": Sign(_volcano, (20.0, 19.0), hides=True)},
)
