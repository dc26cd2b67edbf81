"""The examples on the page of both rivers."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..example import Example, Examples

EXAMPLES: Examples = {
    "river1": {
        "river_bend": Example(
            gettext_lazy(
                "The river has just turned right. The next bend must turn left, so that it never turns back."
            ),
            ("river1.straight@1,0 r0", "river1.curve@2,0 r0"),
            drawn="river1.curve",
            sets=("river1",),
        ),
        "river_banks": Example(
            gettext_lazy(
                "Blue's farmer has both banks: the field goes around the spring. Red took the little city."
            ),
            ("river1.straight@1,0 r0 field NNW", "river1.two-cities@2,0 r0 city N"),
            sets=("river1",),
        ),
    },
    "river2": {
        "river_fork": Example(
            gettext_lazy("The fork is the first tile. The next one may continue either branch."),
            ("river2.fork@1,0 r0",),
            drawn="river2.curve",
            sets=("river2",),
        ),
        "river_apart": Example(
            gettext_lazy(
                "The branches bend towards each other. A curve fits on one of them only: they may never meet."
            ),
            ("river2.fork@1,0 r0", "river2.curve@2,0 r90"),
            drawn="river2.curve-pig-herd",
            sets=("river2",),
        ),
        "river_volcano": Example(
            gettext_lazy(
                "Blue has ended the river with the volcano, where no figure can go, and so "
                "plays a second tile at once: it completes the city at the end of the other "
                "branch."
            ),
            (
                "river2.fork@1,0 r270",
                "river2.road-curve@1,1 r180",
                "river2.city-mouth@2,1 r0 city E",
                "river2.corner-city-shield@1,-1 r0 city N",
                "river2.monastery@2,-1 r180",
                "river2.inn-bridge@3,-1 r270",
                "river2.city-across@4,-1 r90",
                "river2.curve@5,-1 r0",
                "river2.city-bridge@5,0 r90",
                "river2.curve-pig-herd@5,1 r0",
                "river2.lake-volcano@4,1 r180",
                "base.E@3,1 r270",
            ),
            sets=("river2",),
        ),
    },
}
