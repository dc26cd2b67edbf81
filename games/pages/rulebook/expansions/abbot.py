"""The examples on the page of the Abbot, and of his gardens on that of the editions."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..example import Example, Examples

EXAMPLES: Examples = {
    "abbot": {
        "abbot_recall": Example(
            gettext_lazy(
                "Instead of putting a follower on the new tile, Blue returns the abbot from the garden."
            ),
            (
                "base.Ug@1,0 r0 abbot garden",
                "base.Vg@0,1 r0 abbot garden",
                "base.U@2,0 r0",
                "base.B@1,1 r0",
                "base.V@2,1 r270 recall 1,0",
            ),
            sets=("abbot",),
            edition="C2",
        ),
        "abbot_garden": Example(
            gettext_lazy("The eighth neighbour completes the garden of Blue's abbot."),
            (
                "base.Ug@1,0 r0 abbot garden",
                "base.Vg@0,1 r0 abbot garden",
                "base.U@2,0 r0",
                "base.B@1,1 r0",
                "base.V@2,1 r270",
                "base.E@0,-1 r180",
                "base.E@1,-1 r90",
                "base.E@2,-1 r270",
            ),
            sets=("abbot",),
            edition="C2",
        ),
    },
    "editions": {
        "garden": Example(
            gettext_lazy("A curve with a garden, from the second edition, and an abbot in it."),
            ("base.Vg@1,0 r0 abbot garden",),
            sets=("abbot",),
            edition="C2",
        ),
    },
}
