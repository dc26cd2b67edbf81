"""Tests of the notation of turns, written and read."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from games.rules import (
    Draw,
    Final,
    Pass,
    Place,
    Recall,
    RuleSet,
    action_from_json,
    action_to_json,
)
from games.rules.modules.count import Enter, Transfer
from games.rules.modules.winter import Walk
from games.rules.notation import MAX_LINE, MAX_TYPED_LINE, BadNotation, read, read_any, respell, write
from games.rules.playout import pick_random_rules, play_random_game
from games.rules.records import record
from games.rules.tiles import Deploy
from tests.cases import for_each

LINES = [
    ("3,-1 r90", Place("base.P", 3, -1, 90)),
    ("3,-1 r90 city N", Place("base.P", 3, -1, 90, Deploy("follower", "city", "N"))),
    ("3,-1 r0 field ENE", Place("base.P", 3, -1, 0, Deploy("follower", "field", "ENE"))),
    ("0,7 r270 monastery", Place("base.P", 0, 7, 270, Deploy("follower", "monastery"))),
    ("3,-1 r90 large road W", Place("base.P", 3, -1, 90, Deploy("large", "road", "W"))),
    ("3,-1 r90 field I", Place("base.P", 3, -1, 90, Deploy("follower", "field", "I"))),
    ("3,-1 r90 abbot garden", Place("base.P", 3, -1, 90, Deploy("abbot", "garden"))),
    ("3,-1 r90 recall 0,2", Place("base.P", 3, -1, 90, Recall(0, 2))),
]


@pytest.mark.parametrize(("line", "action"), LINES)
def test_a_line_is_read_and_written(line: str, action: Place) -> None:
    assert read(line, tile="base.P") == action
    assert write(action) == line
    assert read(write(action, with_tile=True)) == action


def test_the_reader_does_not_mind_case_spaces_or_a_missing_r() -> None:
    expected = Place("base.Ug", 3, -1, 90, Deploy("follower", "city", "N"))
    assert read("  BASE.UG @ 3 , -1   90  City   n ") == expected


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "no_turn"),
        ("pass", "no_turn"),
        ("3,-1", "no_turn"),
        ("3,-1 r90 city N please", "no_turn"),
        ("3,-1 r45", "no_such_rotation"),
        ("99999,0 r0", "no_turn"),
        ("3,-1 r90 castle N", "no_such_feature"),
        ("3,-1 r90 city Q", "no_such_side"),
        ("3,-1 r90 city road N", "no_such_figure"),
        ("3,-1 r90 large", "no_such_feature"),
        ("base.Z@3,-1 r90", "no_such_tile"),
    ],
)
def test_what_is_no_turn_says_why(line: str, code: str) -> None:
    with pytest.raises(BadNotation) as caught:
        read(line, tile="base.P")
    assert caught.value.code == code


def test_a_line_without_a_tile_needs_the_drawn_one() -> None:
    with pytest.raises(BadNotation) as caught:
        read("3,-1 r90")
    assert caught.value.code == "no_tile"


@for_each("reads", [read, read_any])
@for_each("begun", ["", "3,-1", "3,-1 r90 city", "base.P@", "move 1 castle", "enter"])
@for_each("piece", [" ", "0", "a", "-", "r ", " r r ", "(", "[[]", "3,-1 r90 "])
def test_of_an_endless_line_no_more_is_read_than_a_field_holds(reads, begun: str, piece: str) -> None:
    line = (begun + piece * 100_000)[:100_000] + "."
    with pytest.raises(BadNotation) as caught:
        reads(line, tile="base.P")
    assert caught.value.code == "no_turn"
    assert len(caught.value.params["line"]) <= MAX_TYPED_LINE


def test_no_line_is_read_that_is_longer_than_any_can_be() -> None:
    line = "base.P@3,-1 r90"
    assert read(line.replace(" ", " " * (MAX_LINE - len(line) + 1))) == Place("base.P", 3, -1, 90)
    with pytest.raises(BadNotation):
        read(line.replace(" ", " " * (MAX_LINE - len(line) + 2)))


def test_every_turn_of_a_game_survives_the_line() -> None:
    for played in play_random_game(RuleSet.of(), Random(3)).played:
        if isinstance(played.action, Place):
            assert read(write(played.action, with_tile=True)) == played.action


ANSWERS = [
    ("enter castle", Enter("castle")),
    ("enter castle count market", Enter("castle", "follower", "market")),
    ("enter large castle", Enter("castle", "large")),
    ("enter abbot cathedral count blacksmith", Enter("cathedral", "abbot", "blacksmith")),
    ("move 2 castle city 2,0 N", Transfer("castle", "follower", 2, 2, 0, "city", "N")),
    ("move 1 large market field 0,2 NNW", Transfer("market", "large", 1, 0, 2, "field", "NNW")),
    ("move 1 market field -3,2 II", Transfer("market", "follower", 1, -3, 2, "field", "II")),
    ("move 1 cathedral monastery 2,0", Transfer("cathedral", "follower", 1, 2, 0, "monastery")),
    ("gingerbread 2,0 N", Walk(2, 0, "N")),
    ("pass", Pass()),
]


@pytest.mark.parametrize(("line", "action"), ANSWERS)
def test_an_answer_is_read_and_written(line: str, action: object) -> None:
    assert read_any(line) == action
    assert type(read_any(line.upper().replace(" ", "  "))) is type(action)
    assert read_any(line.upper()) == action
    assert write(action) == line
    assert action_from_json(action_to_json(action)) == action


def test_a_turn_is_read_where_an_answer_may_be() -> None:
    for line, action in LINES:
        assert read_any(line, tile="base.P") == action
    with pytest.raises(BadNotation):
        read_any("enter the castle")
    with pytest.raises(BadNotation):
        read_any("move 1 castle garden 0,0")


@pytest.mark.parametrize("action", [Draw("base.B"), Final()])
def test_what_nobody_does_has_no_line(action: object) -> None:
    with pytest.raises(ValueError):
        write(action)


def written_lines() -> set[str]:
    """All lines written for the conformance records, and for games with all modules."""
    actions = [
        action
        for path in sorted((Path(__file__).parents[2] / "conformance").rglob("*.json"))
        for action in (ply.action for ply in record.replay(record.loads(path.read_text())).game.played)
    ]
    for seed in range(30):
        actions += [
            ply.action for ply in play_random_game(pick_random_rules(Random(seed)), Random(seed)).played
        ]
    answers = [action for action in actions if not isinstance(action, Draw | Final)]
    return {write(answer, with_tile=with_tile) for answer in answers for with_tile in (False, True)}


def test_every_line_that_is_written_is_spelled_as_it_should_be() -> None:
    lines = written_lines() | {line for line, _ in (*LINES, *ANSWERS)}
    assert {line.split()[0] for line in lines} >= {"enter", "move", "gingerbread", "pass"}
    assert len(lines) > 1000
    for line in lines:
        assert respell(line) == line
        assert respell(f" {line.upper().replace(' ', '   ')} ") == line
        assert respell(re.sub(r" r(?=\d)", " ", line)) == line


@for_each(
    "line",
    [
        *(
            "",
            "yes",
            "no",
            "ok",
            "field",
            "city N",
            "N",
            "r90",
            "3,-1",
            "enter",
            "move",
            "passed",
            "pass.",
            "pass it",
        ),
        *("3,-1 r90 city", "3,-1 r90 city NNW", "3,-1 r90 field N", "3,-1 r90 monastery N", "3,-1 r100"),
        *("move 1 market field 2,0 XYZ", "move 1 market city 2,0", "3,-1 r90 mesto E", "moon.A@3,-1 r90"),
        *(
            "paſs",
            "٣,1 r90",
            "３,1 r90",
            "3,\u22121 r90",
            "3,-1 r90 \u212anight city N",
            "14b k",
            "* 3,-1 r90",
        ),
    ],
)
def test_what_the_writer_never_writes_is_no_notation(line: str) -> None:
    with pytest.raises(BadNotation):
        respell(line)
