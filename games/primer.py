"""The examples of the rules page: little games in notation, played by the rules themselves.

So a picture shows a position that can come about, and a score is what the rules give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import words
from games.drawing.board import BoardPicture, Figure, Mark, Outline
from games.pictures import laid_tiles
from games.rules import Draw, Final, Game, Returned, RuleSet, Scored, State
from games.rules.notation import read
from games.rules.state import apply

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Example:
    """Turns of the seats in turn, then perhaps a drawn tile to be placed, or the end of the game."""

    title: StrOrPromise
    turns: tuple[str, ...]
    drawn: str = ""
    ended: bool = False
    seats: int = 2


class Shown(NamedTuple):
    """An example played: the state to draw, where the last tile lies, and the scores it brought."""

    state: State
    last: tuple[int, int, int] | None
    open_cells: tuple[tuple[int, int], ...]
    scored: tuple[Scored, ...]


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
"""By the name that the page calls them. Blue begins, red answers."""

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


@cache
def play(example: Example) -> Shown:
    """*example* played out by the rules; raises ``IllegalAction`` where it breaks them."""
    game = Game.new(RuleSet.of(seats=example.seats))
    before, last = game.state, None
    for turn in example.turns:
        action = read(turn)
        game = game.play(Draw(action.tile))
        before, last = game.state, (action.x, action.y, game.state.turn_seat)
        game = game.play(action)
    if example.drawn:
        game = game.play(Draw(example.drawn))
        cells = {(place.x, place.y) for place in game.legal_actions().placements}
        return Shown(game.state, None, tuple(sorted(cells)), ())
    events = game.events
    if example.ended:
        game = game.cut_short()
        before = game.state
        events = game.play(Final()).events
    return Shown(_while_scoring(before, events), last, (), tuple(e for e in events if isinstance(e, Scored)))


def _while_scoring(state: State, events: tuple[object, ...]) -> State:
    """*state* after *events*, with the meeples that score still standing."""
    for event in events:
        if isinstance(event, Returned):
            break
        state = apply(state, event)
    return state


def picture(name: str, sprite: str) -> BoardPicture:
    """The example called *name*, to be drawn with the symbols of *sprite*."""
    shown = play(EXAMPLES[name])
    title = str(EXAMPLES[name].title)
    return _picture(shown, name=name, title=title, sprite=sprite, margin=1.1 if shown.open_cells else 0.15)


def _picture(shown: Shown, *, name: str, title: str, sprite: str, margin: float = 0.15) -> BoardPicture:
    names = colours()
    return BoardPicture(
        laid=laid_tiles(shown.state),
        meeples=tuple(
            Figure(
                m.seat, m.meeple, m.x, m.y, m.on, m.side, f"{names[m.seat]}: {words.figure(m.meeple, m.on)}"
            )
            for m in shown.state.meeples()
        ),
        outlines=(Outline(*shown.last),) if shown.last else (),
        marks=tuple(Mark(x, y, "", "") for x, y in shown.open_cells),
        title=title,
        sprite=sprite,
        margin=margin,
        id=f"example-{name}",
    )


def panorama(sprite: str) -> BoardPicture:
    """The landscape on the first page."""
    shown = play(PANORAMA)._replace(last=None)
    return _picture(shown, name="panorama", title=str(PANORAMA.title), sprite=sprite, margin=0)


def sentences(name: str) -> list[str]:
    """What the last tile of the example called *name* brought, or the end of its game."""
    return [words.event_sentence(event, colours()) for event in play(EXAMPLES[name]).scored]


def colours() -> tuple[str, ...]:
    """What the seats of an example are called."""
    return _("Blue"), _("Red"), _("Yellow"), _("Black")
