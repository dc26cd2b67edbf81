"""The examples of the rules pages: little games in notation.

``games/pages/rulebook/example_boards.py`` lets the rules play them; what they bring is never written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class Example:
    """Turns of the seats in turn, with the answers to whatever a step asks; then perhaps a drawn tile to be
    placed, or the end of the game. *laid* are tiles that lie beforehand, beside the start."""

    title: StrOrPromise
    turns: tuple[str, ...]
    drawn: str = ""
    ended: bool = False
    seats: int = 2
    sets: tuple[str, ...] = ()  # besides the base game
    edition: str = "C1"
    options: Mapping[str, Any] = field(default_factory=dict)
    laid: tuple[str, ...] = ()


EXAMPLES: Mapping[str, Example] = {
    "placing": Example(
        gettext_lazy("A curve has been drawn. It fits on the marked spaces, some of them only when turned."),
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
        gettext_lazy("The eighth neighbour is laid: the monastery is complete, and so is the road round it."),
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
        gettext_lazy("One tile joins two cities. One knight each: both score in full."),
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
"""Of the rules in brief, by the name that the page calls them. Blue begins, red answers."""

OF_PAGES: Mapping[str, Mapping[str, Example]] = {
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
                "Blue's farmer has both banks: the field goes round the spring. Red took the little city."
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
                "Blue has ended the river with the volcano, which takes no figure, and so plays a "
                "second tile at once: it completes the city at the end of the other branch."
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
    "abbot": {
        "abbot_recall": Example(
            gettext_lazy(
                "Instead of a follower for the new tile, Blue takes the abbot back from the garden."
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
    "traders-and-builders": {
        "goods": Example(
            gettext_lazy(
                "Red has closed Blue's city: the points were Blue's, but the wine is Red's. Now "
                "the game is over, "
                "and nobody has more wine."
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
                "A second shrine is drawn. The monastery has one beside it already, so it fits on the marked "
                "spaces only, away from the monastery."
            ),
            ("base.B@0,1 r0 monastery", "cult.shrine@0,2 r0 shrine"),
            drawn="cult.shrine-city",
            sets=("cult",),
        ),
    },
    "count": {
        "count_enter": Example(
            gettext_lazy(
                "Red has completed Blue's road and got nothing for it. So Red sends a follower to the "
                "blacksmith's quarter, and leaves the Count where he is."
            ),
            ("base.U@1,-2 r90 road N", "base.A@1,-3 r0", "enter blacksmith"),
            sets=("count",),
        ),
        "count_leave": Example(
            gettext_lazy(
                "Later Yellow completes another road of Blue's. Before it is scored, Red's "
                "follower comes out of "
                "the blacksmith's quarter and stands on it, too."
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
            gettext_lazy("The game is over. Carcassonne is a completed city for Blue's farmer at its wall."),
            ("base.B@-1,-2 r0 field NNW", "base.B@2,0 r0"),
            ended=True,
            sets=("count",),
        ),
    },
    "winter": {
        "gingerbread_leaves": Example(
            gettext_lazy(
                "Red's new tile bears the Gingerbread Man, who has to walk from the city with "
                "Blue's knight to "
                "the new one."
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
    "editions": {
        "garden": Example(
            gettext_lazy("A curve with a garden, from the second edition, and an abbot in it."),
            ("base.Vg@1,0 r0 abbot garden",),
            sets=("abbot",),
            edition="C2",
        ),
    },
    "fields": {
        rule.replace("-", "_"): Example(
            title,
            ("base.E@0,-1 r180 field ENE", "base.H@0,-2 r90", "base.E@1,-2 r270 field ENE"),
            ended=True,
            options={"fields": rule},
        )
        for rule, title in {
            "third-edition": gettext_lazy("As played today: each field by itself."),
            "second-edition": gettext_lazy("Second way: nobody is paid twice for the same city."),
            "first-edition": gettext_lazy("First way: each city asks once who has most farmers round it."),
        }.items()
    },
    "house-rules": {
        "hole": Example(
            gettext_lazy(
                "Blue has filled the hole: four tiles meet the new one with a side. One more turn for Blue."
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
"""By the page that shows them, then by name."""

PANORAMA = Example(
    gettext_lazy(
        "A game under way: cities, roads, monasteries and fields, with the meeples of four players."
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
