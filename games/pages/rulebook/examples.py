"""The examples of the rules pages: little games in notation.

``games/pages/rulebook/example_boards.py`` plays them; their scores are never written here.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from .example import Example, Examples
from .expansions import OF_EXPANSIONS

EXAMPLES: Mapping[str, Example] = {
    "placing": Example(
        gettext_lazy(
            "You've drawn a curve. It fits on the marked spaces, but on some of them only when rotated."
        ),
        ("base.E@0,-1 r180", "base.J@1,0 r180"),
        drawn="base.V",
    ),
    "road": Example(
        gettext_lazy("The road runs from the monastery to the village."),
        ("base.W@1,0 r0 road W", "base.A@-1,0 r270 monastery"),
    ),
    "city": Example(
        gettext_lazy("The last tile closes the wall."),
        ("base.M@0,-1 r180 city S", "base.V@-1,0 r270 road E", "base.E@1,-1 r270"),
    ),
    "monastery": Example(
        gettext_lazy(
            "The eighth neighbour is placed: the monastery is complete, and so is the road around it."
        ),
        (
            "base.B@0,1 r0 monastery",
            "base.V@1,0 r0",
            "base.V@-1,0 r270",
            "base.U@1,1 r90 road N",
            "base.U@-1,1 r90",
            "base.V@1,2 r90",
            "base.V@-1,2 r180",
            "base.U@0,2 r0",
        ),
    ),
    "majority": Example(
        gettext_lazy("One tile joins two cities. With one knight each, both players score in full."),
        (
            "base.U@1,0 r0",
            "base.U@-1,0 r0",
            "base.E@1,-1 r270 city W",
            "base.E@-1,-1 r90 city E",
            "base.R@0,-1 r180",
        ),
    ),
    "field": Example(
        gettext_lazy("The game is over. The farmer's field touches three cities, two of them completed."),
        (
            "base.E@0,-1 r180 field NNE",
            "base.V@1,0 r0",
            "base.E@1,-1 r90 city E",
            "base.V@-1,0 r270",
            "base.E@2,-1 r270",
            "base.E@2,0 r180",
        ),
        ended=True,
    ),
}
"""Examples of the rules in brief, by the name that the page uses. Blue begins, red answers."""

OF_PAGES: Examples = {
    **OF_EXPANSIONS,
    "fields": {
        rule.replace("-", "_"): Example(
            title,
            ("base.E@0,-1 r180 field ENE", "base.H@0,-2 r90", "base.E@1,-2 r270 field ENE"),
            ended=True,
            options={"fields": rule},
        )
        for rule, title in {
            "third-edition": gettext_lazy("Today's rule: each field on its own."),
            "second-edition": gettext_lazy("Second way: nobody scores twice for the same city."),
            "first-edition": gettext_lazy(
                "First way: for each city, the player with the most farmers around it scores once."
            ),
        }.items()
    },
    "house-rules": {
        "hole": Example(
            gettext_lazy(
                "Blue has filled the hole: the new tile touches others on all four sides. "
                "Blue gets another turn."
            ),
            ("base.B@0,1 r0 monastery",),
            options={"hole_bonus": True},
            laid=(
                "base.V@1,0 r0",
                "base.V@-1,0 r270",
                "base.U@1,1 r90",
                "base.U@-1,1 r90",
                "base.V@1,2 r90",
                "base.V@-1,2 r180",
                "base.U@0,2 r0",
            ),
        ),
        "border": Example(
            gettext_lazy(
                "A table of 9 × 9 spaces whose edge completes features: the road runs from edge to edge."
            ),
            ("base.U@4,0 r0 road W",),
            options={"board_limit": "fixed 9x9", "border_completes": True},
            laid=tuple(f"base.U@{x},0 r0" for x in (-4, -3, -2, -1, 1, 2, 3)),
        ),
        "small_city": Example(
            gettext_lazy("A completed city of two tiles, where it counts half."),
            ("base.E@0,-1 r180 city S",),
            options={"two_tile_city": 2},
        ),
    },
}
"""Examples by the page that shows them, then by name."""

PANORAMA = Example(
    gettext_lazy(
        "A game in progress: cities, roads, monasteries and fields, with the meeples of four players."
    ),
    (
        "base.T@0,-1 r270",
        "base.D@1,-1 r0",
        "base.W@1,0 r0",
        "base.V@2,-1 r0 road S",
        "base.L@2,0 r180 road E",
        "base.U@1,1 r90",
        "base.N@1,-2 r270",
        "base.V@2,-2 r180",
        "base.R@0,-2 r180 city E",
        "base.A@3,-1 r180",
        "base.Q@-1,-1 r90",
        "base.D@-1,0 r0 road E",
        "base.B@0,1 r0 monastery",
        "base.U@3,0 r0",
        "base.H@2,1 r180 city S",
        "base.S@-1,-2 r180",
        "base.G@-2,-1 r90 city N",
        "base.E@-1,1 r180 city S",
        "base.S@-2,0 r270 field ENE",
        "base.V@3,-2 r0",
        "base.P@-2,-2 r180 road N",
        "base.W@-3,-1 r90 road W",
        "base.E@3,1 r180",
        "base.K@-2,1 r0 road S",
        "base.L@-3,0 r90 road N",
        "base.L@-3,1 r270",
        "base.X@-3,-2 r180 road W",
    ),
    seats=4,
)
"""The landscape on the first page."""
