"""The examples on the page of Traders & Builders."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..example import Example, Examples

EXAMPLES: Examples = {
    "traders-and-builders": {
        "goods": Example(
            gettext_lazy(
                "Red completed Blue's city: Blue got the points, but Red the wine. Now the "
                "game is over, and nobody has more wine."
            ),
            ("traders-and-builders.across-wine@0,-1 r90 city S", "base.E@0,-2 r180"),
            ended=True,
            sets=("traders-and-builders",),
        ),
        "builder": Example(
            gettext_lazy(
                "Blue has lengthened the road with the builder in the east and so plays a "
                "second tile at once, "
                "which completes it."
            ),
            (
                "base.U@1,0 r0 road W",
                "base.B@0,1 r0",
                "base.U@2,0 r0 builder road W",
                "base.B@1,1 r0",
                "base.W@3,0 r0",
                "base.W@-1,0 r0",
            ),
            sets=("traders-and-builders",),
        ),
        "pig": Example(
            gettext_lazy(
                "The game is over. The field touches one completed city, and the pig adds a point for it."
            ),
            ("base.E@0,-1 r180 field NNE", "base.U@1,0 r0", "base.B@0,-2 r0 pig field SSE"),
            ended=True,
            sets=("traders-and-builders",),
        ),
    },
}
