"""The examples on the page of the Count."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..example import Example, Examples

EXAMPLES: Examples = {
    "count": {
        "count_enter": Example(
            gettext_lazy(
                "Red has completed Blue's road and scored nothing. So Red sends a follower to "
                "the blacksmith's quarter and leaves the Count where he is."
            ),
            ("base.U@1,-2 r90 road N", "base.A@1,-3 r0", "enter blacksmith"),
            sets=("count",),
        ),
        "count_leave": Example(
            gettext_lazy(
                "Later, Yellow completes another of Blue's roads. Before it's scored, Red's "
                "follower comes out of the blacksmith's quarter and joins it, too."
            ),
            (
                "base.U@1,-2 r90 road N",
                "base.A@1,-3 r0",
                "enter blacksmith",
                "base.B@2,0 r0",
                "base.U@0,2 r90 road S",
                "base.B@3,0 r0",
                "base.A@0,3 r180",
                "move 1 blacksmith road 0,2 N",
                "pass",
            ),
            seats=3,
            sets=("count",),
        ),
        "count_field": Example(
            gettext_lazy(
                "The game is over. For Blue's farmer at its wall, Carcassonne counts as a completed city."
            ),
            ("base.B@-1,-2 r0 field NNW", "base.B@2,0 r0"),
            ended=True,
            sets=("count",),
        ),
    },
}
