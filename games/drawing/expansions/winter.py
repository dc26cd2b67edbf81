"""The Gingerbread Man."""

from __future__ import annotations

from ..art import Art
from ..palette import INK

GINGERBREAD = (
    "M-4.6-5.5a6.4 6.4 0 1 1 9.2 0c1.5.6 4 .2 6.4-.9a3.3 3.3 0 0 1 2.6 6.1c-2.6 1.2-4.8 1.6-6.4 1.5"
    ".1 2.3 1.5 5 3.6 7.6a3.4 3.4 0 0 1-5.3 4.3c-2.2-2.7-3.6-5-5.5-5s-3.3 2.3-5.5 5a3.4 3.4 0 0 1-5.3-4.3"
    "c2.1-2.6 3.5-5.3 3.6-7.6-1.6.1-3.8-.3-6.4-1.5a3.3 3.3 0 0 1 2.6-6.1c2.4 1.1 4.9 1.5 6.4.9z"
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


ART = Art(pictures={"winter": "winter.monastery-road"}, tokens={"winter": {"gingerbread": gingerbread}})
