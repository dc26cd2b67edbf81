"""A branch that a moderator has rolled back, step by step with the board.

Players see what they saw when it was played; hands that were hidden from them stay hidden.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.templatetags.static import static
from django.utils.translation import gettext as _

from games import rules
from games.access import Visitor
from games.drawing.board import find_sprite_name
from games.models import Game, Move
from games.pages.parts.story import StoryEntry, build_story_entries, list_last_placements
from games.pages.scene import Scene
from games.pages.scene.picture import BoardPicture, build_picture, build_sprite_addresses
from games.play.timeline import MODERATE, UNDO
from games.rules.visibility import are_hands_hidden
from games.selectors.moves import FIELDS, Stored
from games.words.acts import ACTS


class Branch(NamedTuple):
    """A step of a branch, without the hands that its viewer must not see."""

    step: int
    steps: int
    ply: int
    entries: list[StoryEntry]
    picture: BoardPicture
    scores: list[tuple[str, int]]


def load_branch(game: Game, viewer: Visitor, version: int, step: int | None) -> Branch | None:
    """Load the branch that the act *version* rolled back, for *viewer*, who plays or moderates, after its
    first *step* actions of seats, or all; ``None`` if there is none."""
    act = game.moves.filter(version=version, action__act="roll_back").first()
    if act is None or not act.action["moves"]:
        return None
    kept = _before(game.moves.filter(version__lt=version).order_by("version"))
    first = min(act.action["moves"])
    plies = [move for move in kept if move["version"] >= first and move["ply"] is not None]
    at = len(plies) if step is None else step
    if not 1 <= at <= len(plies):
        return None
    last = plies[at - 1]
    upto = [move for move in kept if move["version"] <= last["version"]]
    scene = Scene.of(game, viewer)
    seat = scene.me.index if scene.me is not None and are_hands_hidden(game.rules) else None
    played = rules.Game.rebuild(game.rules, [move["events"] for move in upto])
    state = rules.hide_secrets(played.state, seat)
    picture = build_picture(
        state,
        scene.looks,
        scene.names,
        last=list_last_placements([last], 1),
        sprite=static(find_sprite_name()),
        sprites=build_sprite_addresses(),
        title=_("The board of {game}, as it was").format(game=game.name),
    )
    return Branch(
        step=at,
        steps=len(plies),
        ply=last["ply"],
        entries=build_story_entries(scene, [last]),
        picture=picture,
        scores=list(zip(scene.names, state.scores, strict=True)),
    )


def _before(moves: Iterable[Move]) -> list[Stored]:
    """The moves by the rules among *moves* that were in force at the last version."""
    in_force: dict[int, Stored] = {}
    for move in moves:
        if move.action["type"] in (UNDO, MODERATE):
            for version in move.action.get("moves", ()):
                in_force.pop(version, None)
        elif move.action["type"] not in ACTS:
            in_force[move.version] = {name: getattr(move, name) for name in FIELDS}
    return list(in_force.values())
