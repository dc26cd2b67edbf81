"""The examples on the page of the Winter Edition."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..example import Example, Examples

EXAMPLES: Examples = {
    "winter": {
        "gingerbread_leaves": Example(
            gettext_lazy(
                "Red's new tile shows the Gingerbread Man, who has to walk from the city with "
                "Blue's knight to the new one."
            ),
            ("base.F@0,-1 r90 city S", "winter.cap-road-west@1,0 r0", "gingerbread 1,0 N"),
            sets=("winter",),
            options={"gingerbread": True},
        ),
        "gingerbread_completed": Example(
            gettext_lazy(
                "His city is complete. First he pays the knight for three tiles, then the city "
                "scores as usual."
            ),
            ("base.F@0,-1 r90 city S", "base.E@0,-2 r180"),
            sets=("winter",),
            options={"gingerbread": True},
        ),
    },
}
