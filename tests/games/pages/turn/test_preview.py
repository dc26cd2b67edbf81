"""Tests of the preview of a turn."""

import re
from random import Random

from games.pages.turn.preview import preview
from games.rules import Game, Place, RuleSet, Scored, get_tile
from games.rules.notation import read
from tests.games.rules.boards import drawn

NAMES = ["Anna", "Bruno"]


def told(before: str, line: str) -> list[str]:
    """The preview of *line*, played after the turns *before*, for the seat whose turn it is."""
    action = read(line)
    game = drawn(action.tile, before)
    return preview(game.state, game.play(action), NAMES, game.state.turn_seat)


def test_a_completed_city_says_whom_it_pays_and_who_comes_home() -> None:
    lines = told("A base.U@-1,0 r0", "base.E@0,-1 r180 city S")
    assert lines == [
        "Completes a city of 2 tiles: you +4.",
        "Back in hand: knight (you).",
        "You keep 7 meeples in hand.",
    ]


def test_an_opponent_s_feature_that_the_turn_completes_pays_them() -> None:
    lines = told("A base.U@1,0 r0 road W; B base.W@2,0 r0", "base.A@-1,0 r270")
    assert lines[:2] == ["Completes a road of 4 tiles: you +4.", "Back in hand: highwayman (you)."]
    lines = told("A base.U@1,0 r0 road W", "base.W@2,0 r0")
    assert "Road of 3 tiles, 1 end open: Anna." in lines


def test_a_completed_feature_where_nobody_stands_says_so() -> None:
    lines = told("A base.U@-1,0 r0", "base.E@0,-1 r180")
    assert lines == ["Completes a city of 2 tiles: no meeples on it."]


def test_what_stays_open_says_who_stands_there_and_how_far_it_is() -> None:
    lines = told("A base.U@-1,0 r0", "base.U@1,0 r0 road E")
    assert lines == ["Road of 3 tiles, 2 ends open: you.", "You keep 6 meeples in hand."]


def test_a_monastery_counts_the_tiles_around_it() -> None:
    lines = told("A base.U@-1,0 r0", "base.B@0,1 r0 monastery")
    assert lines == ["Monastery with 3 tiles of nine: you.", "You keep 6 meeples in hand."]


def test_a_city_that_the_turn_joins_pays_everybody_in_the_majority() -> None:
    before = "A base.U@1,0 r0; B base.U@-1,0 r0; A base.E@1,-1 r270 city W; B base.E@-1,-1 r90 city E"
    lines = told(before, "base.R@0,-1 r180")
    assert lines[0] == "Completes a city of 4 tiles: you +8, Bruno +8."
    assert lines[1] == "Back in hand: knight (you), knight (Bruno)."


def test_nothing_at_all_is_said_too() -> None:
    lines = told("A base.U@-1,0 r0", "base.U@1,0 r0")
    assert lines == ["Nothing is completed. No meeples affected."]


def test_in_whole_games_the_gains_told_are_the_gains_that_come() -> None:
    heard = ""
    for seed in range(6):
        chance = Random(seed)
        game = Game.new(RuleSet.of(seats=2))
        while game.decision.kind != "final":
            before, action = game, chance.choice(list(game.legal_actions()))
            game = game.play(action)
            if not isinstance(action, Place):
                continue
            me = before.state.turn_seat
            lines = preview(before.state, game, NAMES, me)
            scored = [event for event in game.events if isinstance(event, Scored)]
            gains = re.findall(r"(\w+) \+(\d+)", " ".join(lines))
            names = [*NAMES]
            names[me] = "you"
            assert gains == [(names[scored.seat], str(scored.points)) for scored in scored]
            assert sum(line.startswith("Joins") for line in lines) == joined(before, game, action)
            heard += " ".join(lines)
    assert "Joins fields held apart" in heard and " and 1 shield:" in heard


def joined(before: Game, after: Game, action: Place) -> int:
    """The number of unfinished features of the placed tile that join meeples of separate features."""
    features = {}
    for lie in get_tile(action.tile).at(action.rotation).lies:
        feature = after.state.feature_at(action.x, action.y, lie.kind, lie.side)
        if not feature.complete:
            features[feature.segments] = feature
    known = before.state.board.features
    return sum(
        len({known[meeple.code].segments for meeple in feature.meeples if meeple.code in known}) > 1
        for feature in features.values()
    )
