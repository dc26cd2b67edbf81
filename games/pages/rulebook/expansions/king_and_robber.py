"""The examples on the page of King and Robber Baron."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..example import Example, Examples

EXAMPLES: Examples = {
    "king-and-robber": {
        "king": Example(
            gettext_lazy(
                "The game is over. Blue completed the longest of the three completed roads, Red "
                "the larger of the "
                "two completed cities."
            ),
            (
                "base.E@0,-1 r180",
                "base.W@1,0 r0",
                "base.W@-1,0 r0",
                "base.W@-1,1 r180",
                "base.W@0,1 r0",
                "base.I@1,-1 r90",
                "base.F@2,-1 r0",
                "base.H@3,-1 r90",
            ),
            ended=True,
            sets=("king-and-robber",),
        ),
        "crossing": Example(
            gettext_lazy(
                "Two cities cross on one tile and stay apart. The one from north to south is complete, "
                "the other one still open."
            ),
            ("king-and-robber.crossing-cities@0,-1 r0 city N", "base.E@-1,-1 r90", "base.E@0,-2 r180"),
            sets=("king-and-robber",),
        ),
    },
}
