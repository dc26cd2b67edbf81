"""The examples on the page of Inns & Cathedrals."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..example import Example, Examples

EXAMPLES: Examples = {
    "inns-and-cathedrals": {
        "inn": Example(
            gettext_lazy("A road of four tiles with an inn."),
            (
                "inns-and-cathedrals.straight-inn@1,0 r0 road W",
                "base.W@-1,0 r0",
                "base.W@2,0 r0",
            ),
            sets=("inns-and-cathedrals",),
        ),
        "cathedral": Example(
            gettext_lazy("A city of five tiles with a cathedral."),
            (
                "inns-and-cathedrals.cathedral@0,-1 r0 city S",
                "base.E@-1,-1 r90",
                "base.E@1,-1 r270",
                "base.E@0,-2 r180",
            ),
            sets=("inns-and-cathedrals",),
        ),
        "cathedral_open": Example(
            gettext_lazy("The game is over and the wall is still open: Blue's knight gets nothing."),
            (
                "inns-and-cathedrals.cathedral@0,-1 r0 city S",
                "base.E@-1,-1 r90",
                "base.E@1,-1 r270",
            ),
            ended=True,
            sets=("inns-and-cathedrals",),
        ),
        "large": Example(
            gettext_lazy(
                "One tile joins the two cities. Blue's large follower counts as two and "
                "outnumbers Red's knight."
            ),
            (
                "base.U@1,0 r0",
                "base.U@-1,0 r0",
                "base.E@1,-1 r270 large city W",
                "base.E@-1,-1 r90 city E",
                "base.R@0,-1 r180",
            ),
            sets=("inns-and-cathedrals",),
        ),
    },
}
