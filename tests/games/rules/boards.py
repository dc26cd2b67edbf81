"""Boards as text: a game is a list of turns, one to a line or between semicolons.

    A base.W@1,0 frrr road W        seat A places W with these sides, north first, and claims the road W
    B base.U@-1,0 r90               a rotation may be named instead, or nothing where any will do
    C base.B@0,1 abbot monastery    another figure than a follower is named first
    A base.B@0,2 recall 0,1         or one is taken back

Turns go round in the order of the seats, so each line names the seat whose turn it is; a seat with nothing to
do in an example places something out of the way, as the rules specification asks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from games.rules import (
    Deploy,
    Draw,
    Final,
    Game,
    IllegalAction,
    Laid,
    Pass,
    Place,
    Placement,
    Recall,
    RuleSet,
    Scored,
    State,
    get_tile,
)

_TURN = re.compile(
    r"(?P<seat>[A-F]) (?P<tile>[\w.-]+)@(?P<x>-?\d+),(?P<y>-?\d+)"
    r"(?: (?:r(?P<rotation>\d+)|(?P<sides>[crfv]{4})))?"
    r"(?: recall (?P<rx>-?\d+),(?P<ry>-?\d+)"
    r"|(?: (?P<meeple>large|abbot|builder|pig))? (?P<on>[a-z]+)(?: (?P<side>[NESWI]+))?)?"
)


def rule_set(**chosen: Any) -> RuleSet:
    """The rule set of two seats, or as *chosen*; option names may be given directly."""
    known = {"sets", "edition", "seats", "known"}
    options = {name: value for name, value in chosen.items() if name not in known}
    return RuleSet.of(options=options, **{name: value for name, value in chosen.items() if name in known})


def turn(text: str) -> Place:
    """The action of one line, without its seat."""
    return _turn(text)[1]


def _turn(text: str) -> tuple[int, Place]:
    match = _TURN.fullmatch(text)
    assert match, f"not a turn: {text!r}"
    rotation = int(match["rotation"] or 0)
    if match["sides"]:
        rotation = rotation_with(match["tile"], match["sides"])
    figure = Deploy(match["meeple"] or "follower", match["on"], match["side"]) if match["on"] else None
    if match["rx"]:
        figure = Recall(int(match["rx"]), int(match["ry"]))
    return "ABCDEF".index(match["seat"]), Place(
        match["tile"], int(match["x"]), int(match["y"]), rotation, figure
    )


def rotation_with(id: str, sides: str) -> int:
    """The first rotation in which the tile called *id* shows *sides*, north first."""
    return next(turned.rotation for turned in get_tile(id).rotations if turned.sides == sides)


def lines(text: str) -> list[str]:
    """The turns of *text* as a list of lines."""
    return [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]


def played(text: str, *, game: Game | None = None, start: str = "", first: str = "A", **chosen: Any) -> Game:
    """The game after the turns of *text*, with the tiles drawn that they place.

    Questions are declined. *start* lays further tiles beforehand, written as turns of A without figures;
    *first* is the seat whose turn comes first; *chosen* as for :func:`rule_set`.
    """
    if game is None:
        rules = rule_set(**chosen)
        laid = [Laid(one.id, x, y, 0) for one, x, y in rules.start]
        game = Game.new(rules, start=[*laid, *(Laid(*turn(line)[:4]) for line in lines(start))])
        game = Game(game.state._replace(turn_seat="ABCDEF".index(first)))
    for line in lines(text):
        seat, action = _turn(line)
        game = declined(game).play(Draw(action.tile))
        assert game.decision.seat == seat, f"{line!r} is the turn of {'ABCDEF'[game.decision.seat or 0]}"
        game = game.play(action)
    return game


def declined(game: Game) -> Game:
    """*game* after all questions were declined."""
    while Pass() in game.legal_actions():
        game = game.play(Pass())
    return game


def with_bag(game: Game, *ids: str) -> Game:
    """*game* with only the tiles *ids* in the bag."""
    return Game(game.state._replace(remaining=dict(sorted(Counter(ids).items())), left=len(ids)))


def drawn(id: str, text: str = "", **chosen: Any) -> Game:
    """The game after the turns of *text*, with the tile *id* to be placed."""
    return played(text, **chosen).play(Draw(id))


def scored(game: Game) -> list[tuple[str, str, int]]:
    """The scorings of the last action: seat, kind, points."""
    return [
        ("ABCDEF"[event.seat], event.on, event.points) for event in game.events if isinstance(event, Scored)
    ]


def ended(game: Game) -> Game:
    """*game* after its final scoring, as it stands."""
    return declined(declined(game).cut_short()).play(Final())


def at_end(game: Game) -> list[tuple[str, str, int]]:
    """The final scorings if the game ends as it stands."""
    return scored(ended(game))


def totals(game: Game) -> tuple[int, ...]:
    """The scores if the game ends as it stands."""
    return ended(game).state.scores


def followers(game: Game) -> tuple[int, ...]:
    """The followers in hand, by seat."""
    return tuple(supply["follower"] for supply in game.state.supply)


def on_board(game: Game) -> list[str]:
    """The meeples on the board as ``A road W @1,0``, sorted."""
    return sorted(
        f"{'ABCDEF'[meeple.seat]} {meeple.on}{' ' + meeple.side if meeple.side else ''}"
        f" @{meeple.x},{meeple.y}"
        for meeple in game.state.meeples()
    )


def claims(game: Game, x: int, y: int, rotation: int, meeple: str = "follower") -> list[str]:
    """The spots where a figure may be deployed with this placement, as ``field NNW``."""
    return [
        f"{figure.on} {figure.side}" if figure.side else figure.on
        for figure in game.legal_actions().figures(Placement(x, y, rotation))
        if isinstance(figure, Deploy) and figure.meeple == meeple
    ]


def pictures(game: Game, id: str) -> set[tuple[int, int, str]]:
    """The cells where the drawn tile *id* may lie, with the sides that it shows there, north first."""
    return {
        (x, y, get_tile(id).at(rotation).sides) for x, y, rotation in game.legal_actions().placements_of(id)
    }


def snapshot(state: State) -> Any:
    """A deep copy of *state*, to check later that nothing was changed in place."""

    def copied(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: copied(one) for key, one in value.items()}
        if isinstance(value, tuple):
            return tuple(copied(item) for item in value)
        return value

    return copied(state._replace(rules=None))


def play_out(game: Game, choose: Any) -> Game:
    """*game* played to its end: *choose* picks one of the list of legal actions each time."""
    while not game.state.over:
        if game.decision.kind == "final":
            game = game.play(Final())
        else:
            game = game.play(choose(list(game.legal_actions())))
    return game


def refused(game: Game, line: str) -> str:
    """The rule that forbids the turn of *line*."""
    with pytest.raises(IllegalAction) as caught:
        game.play(turn(line))
    return caught.value.rule
