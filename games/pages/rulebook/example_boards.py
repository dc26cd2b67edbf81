"""The examples of the rules pages, played by the rules engine.

So every picture shows a possible position, and every score is the engine's.
"""

from __future__ import annotations

from typing import NamedTuple

from django.templatetags.static import static
from django.utils.translation import gettext as _

from games import words
from games.drawing.board import BoardPicture, Mark, find_sprite_name
from games.pages.rulebook.example import Example
from games.pages.rulebook.examples import PANORAMA
from games.pages.scene.picture import build_picture, build_sprite_addresses
from games.rules import Draw, Event, Final, Game, Laid, Place, Returned, RuleSet, Scored, State
from games.rules.notation import read, read_any
from games.rules.state import apply_event


class PlayedExample(NamedTuple):
    """A played example: the state to draw, the tiles of the last turn with their seat, the open cells, and
    the scorings of the last tile."""

    state: State
    last: tuple[tuple[int, int, int], ...]
    open_cells: tuple[tuple[int, int], ...]
    scored: tuple[Scored, ...]


_PLAYED: dict[int, PlayedExample] = {}


def play(example: Example) -> PlayedExample:
    """Play *example* by the rules. :raises IllegalAction: if it breaks them"""
    shown = _PLAYED.get(id(example))
    if shown is None:
        shown = _PLAYED[id(example)] = _play_example(example)
    return shown


def _play_example(example: Example) -> PlayedExample:
    game = _laid_out(example)
    before = game.state
    last: tuple[tuple[int, int, int], ...] = ()
    events: tuple[Event, ...] = ()
    for turn in example.turns:
        action = read_any(turn)
        if isinstance(action, Place):
            earlier = last if game.state.further else ()  # a further tile belongs to the same turn
            game = game.play(Draw(action.tile))
            before, events = game.state, ()
            last = (*earlier, (action.x, action.y, game.state.turn_seat))
        game = game.play(action)
        events += game.events
    if example.drawn:
        game = game.play(Draw(example.drawn))
        cells = {(place.x, place.y) for place in game.legal_actions().placements}
        return PlayedExample(game.state, (), tuple(sorted(cells)), ())
    if example.ended:
        game = game.cut_short()
        before = game.state
        events = game.play(Final()).events
    return PlayedExample(
        _while_scoring(before, events), last, (), tuple(e for e in events if isinstance(e, Scored))
    )


def _laid_out(example: Example) -> Game:
    rules = RuleSet.of(
        sets=("base", *example.sets),
        edition=example.edition,
        options=example.options,
        seats=example.seats,
    )
    if not example.laid:
        return Game.new(rules)
    start = [Laid(tile.id, x, y, 0) for tile, x, y in rules.start]
    beside = (read(line) for line in example.laid)
    return Game.new(rules, start=[*start, *(Laid(*place[:4]) for place in beside)])


def _while_scoring(state: State, events: tuple[Event, ...]) -> State:
    """*state* after *events*, with the meeples that score still standing."""
    for event in events:
        if not isinstance(event, Returned):
            state = apply_event(state, event)
    return state


def build_example_picture(name: str, example: Example) -> BoardPicture:
    """Draw *example*, which the page calls *name*."""
    shown = play(example)
    margin = 1.1 if shown.open_cells else 0.15
    return _picture(shown, name=name, title=str(example.title), margin=margin)


def build_panorama() -> BoardPicture:
    """The landscape on the first page."""
    shown = play(PANORAMA)._replace(last=())
    return _picture(shown, name="panorama", title=str(PANORAMA.title), margin=0)


def _picture(shown: PlayedExample, *, name: str, title: str, margin: float) -> BoardPicture:
    return build_picture(
        shown.state,
        range(len(shown.state.scores)),
        colours(),
        last=shown.last,
        marks=tuple(Mark(x, y, "", "") for x, y in shown.open_cells),
        title=title,
        sprite=static(find_sprite_name()),
        sprites=build_sprite_addresses(),
        margin=margin,
        id=f"example-{name}",
    )


def list_sentences(example: Example) -> list[str]:
    """Describe what the last tile of *example* scored, or the end of its game."""
    return [_sentence(scored, colours()[scored.seat]) for scored in play(example).scored]


def _sentence(scored: Scored, player: str) -> str:
    sentence = words.format_earned_points(scored.on, player, scored.points)
    parts = [str(term.points) for term in scored.terms if term.points > 0]
    return f"{sentence} ({' + '.join(parts)})" if len(parts) > 1 else sentence


def colours() -> tuple[str, ...]:
    """The names of the seats in examples."""
    return _("Blue"), _("Red"), _("Yellow"), _("Black")
