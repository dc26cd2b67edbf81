"""The examples on the page of the Cult."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..example import Example, Examples

EXAMPLES: Examples = {
    "cult": {
        "duel": Example(
            gettext_lazy(
                "Blue's shrine is complete first. Red's monk in the monastery beside it goes "
                "home with nothing."
            ),
            (
                "cult.shrine@0,1 r0 shrine",
                "base.V@1,0 r0",
                "base.U@1,1 r90",
                "base.A@1,2 r180 monastery",
                "base.V@-1,0 r270",
                "base.U@-1,1 r90",
                "base.U@-1,2 r90",
                "base.E@0,2 r180",
            ),
            sets=("cult",),
        ),
        "limit": Example(
            gettext_lazy(
                "A second shrine is drawn. The monastery already has one next to it, so it "
                "only fits on the marked spaces, away from the monastery."
            ),
            ("base.B@0,1 r0 monastery", "cult.shrine@0,2 r0 shrine"),
            drawn="cult.shrine-city",
            sets=("cult",),
        ),
    },
}
