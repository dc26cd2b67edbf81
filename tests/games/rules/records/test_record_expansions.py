"""Tests of records with expansions: invalid ones are refused with the faulty entry and the rule."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.rules import Game, InvalidRecord
from games.rules.playout import pick_random_action, play_random_game
from games.rules.records import record
from games.rules.records.reader import Reader
from tests.cases import for_each
from tests.games.rules.boards import with_bag
from tests.games.rules.combination_helpers import EVERYTHING, make_rule_set

CONFORMANCE = Path(__file__).parents[3] / "conformance"
BLOCK = json.loads((CONFORMANCE / "count" / "field-at-carcassonne.json").read_text())["start"]
START = [{"tile": "base.D", "at": [0, 0], "rotation": 0}]
SPRING = [{"tile": "river1.spring", "at": [0, 0], "rotation": 0}]


def entry(player: int, tile: str, x: int, y: int, rotation: int = 0, **more: Any) -> dict[str, Any]:
    return {"player": player, "tile": tile, "at": [x, y], "rotation": rotation, **more}


def deploy(on: str, side: str | None = None, meeple: str = "follower") -> dict[str, Any]:
    stored = {"meeple": meeple, "on": on}
    return stored if side is None else {**stored, "side": side}


def written(sets: list[str], turns: list[Any], **more: Any) -> dict[str, Any]:
    start = BLOCK if "count" in sets else SPRING if "river1" in sets else START
    return {
        "format": "carcassonne-record",
        "version": 1,
        "sets": ["base", *sets],
        "edition": "C2" if "abbot" in sets else "C1",
        "options": {},
        "players": ["Ann", "Ben"],
        "start": start,
        "turns": turns,
        "final": False,
        **more,
    }


def refused(stored: dict[str, Any]) -> tuple[int, str]:
    """The faulty entry and the rule."""
    with pytest.raises(InvalidRecord) as caught:
        record.replay(stored)
    return caught.value.entry, caught.value.rule


ROAD = [
    entry(0, "base.U", 1, -2, 90, deploy=deploy("road", "N")),
    entry(1, "base.A", 1, -3),
]


def road(**more: Any) -> list[dict[str, Any]]:
    turns = copy.deepcopy(ROAD)
    turns[1].update(more)
    return turns


def test_a_count_stands_in_the_entry_of_its_turn() -> None:
    played = record.replay(written(["count"], road(count={"quarter": "market", "count_to": "castle"})[:1]))
    assert played.game.decision.kind == "draw"
    played = record.replay(written(["count"], road(count={"quarter": "market", "count_to": "blacksmith"})))
    assert played.game.state.slices["count"].stands == "blacksmith"
    assert played.game.state.slices["count"].quarters["market"] == ((1, "follower"),)
    assert len(played.turns) == 2


@pytest.mark.parametrize(
    ("turns", "fault"),
    [
        (road(count={"quarter": "palace"}), (2, "COUNT-5")),
        (road(count={"quarter": "castle", "count_to": "castle"}), (2, "COUNT-5")),
        (road(count={"quarter": "castle", "meeple": "large"}), (2, "COUNT-5")),
        (road(count={"quarter": ["castle"]}), (2, "")),
        (road(count={"quarter": "castle", "more": 1}), (2, "")),
        (road(count="castle"), (2, "")),
        ([{**ROAD[0], "count": {"quarter": "castle"}}], (1, "COUNT-5")),
        (road(gingerbread={"at": [0, 0], "side": "N"}), (2, "WINTER-6")),
    ],
    ids=str,
)
def test_a_count_out_of_turn(turns: list[Any], fault: tuple[int, str]) -> None:
    assert refused(written(["count"], turns)) == fault


def test_a_count_that_count_move_forbids() -> None:
    turns = road(count={"quarter": "castle", "count_to": "cathedral"})
    assert refused(written(["count"], turns, options={"count_move": "clockwise"})) == (2, "COUNT-5")
    turns = road(count={"quarter": "market"})
    assert refused(written(["count"], turns, options={"fields": "none"})) == (2, "COUNT-5")


WITH_TRANSFER = [
    entry(0, "base.U", 1, -2, 90, deploy=deploy("road", "N")),
    entry(1, "base.A", 1, -3, count={"quarter": "blacksmith", "count_to": "market"}),
    entry(0, "base.U", 0, 2, 90, deploy=deploy("road", "S")),
    entry(1, "base.A", 0, 3, 180),
    {
        "player": 1,
        "transfer": {"quarter": "blacksmith", "followers": 1, "at": [0, 2], "on": "road", "side": "N"},
    },
]


def test_transfers_follow_the_turn_that_completes_the_feature() -> None:
    played = record.replay(written(["count"], WITH_TRANSFER))
    assert played.game.state.scores == (6, 3)
    assert len(played.turns) == 4
    assert [(scored.seat, scored.points) for scored in played.turns[-1].scored] == [(0, 3), (1, 3)]
    assert record.replay(written(["count"], WITH_TRANSFER[:4])).game.state.scores == (6, 0)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"quarter": "castle"}, (5, "COUNT-16")),
        ({"quarter": "market"}, (5, "COUNT-16")),
        ({"followers": 2}, (5, "COUNT-16")),
        ({"followers": 0}, (5, "COUNT-16")),
        ({"followers": "1"}, (5, "")),
        ({"at": [1, -2]}, (5, "COUNT-16")),
        ({"on": "city"}, (5, "COUNT-16")),
        ({"side": "X"}, (5, "COUNT-16")),
        ({"meeple": "large"}, (5, "COUNT-16")),
        ({"more": 1}, (5, "")),
    ],
    ids=str,
)
def test_an_illegal_transfer(change: dict[str, Any], fault: tuple[int, str]) -> None:
    turns = copy.deepcopy(WITH_TRANSFER)
    turns[4]["transfer"].update(change)
    assert refused(written(["count"], turns)) == fault


def test_transfers_out_of_order() -> None:
    transfer = copy.deepcopy(WITH_TRANSFER[4])
    assert refused(written(["count"], [transfer])) == (1, "COUNT-16")
    assert refused(written(["count"], [*WITH_TRANSFER[:3], transfer]))[0] == 4
    other = {**copy.deepcopy(transfer), "player": 0}
    assert refused(written(["count"], [*WITH_TRANSFER[:4], other])) == (5, "COUNT-16")
    assert refused(written(["count"], [*WITH_TRANSFER, transfer])) == (6, "COUNT-16")


def test_transfers_at_the_end() -> None:
    turns = [
        *road(count={"quarter": "market"}),
        {
            "player": 1,
            "transfer": {"quarter": "market", "followers": 1, "at": [1, -2], "on": "field", "side": "NNW"},
            "at_end": True,
        },
    ]
    played = record.replay(written(["count"], turns, final=True))
    assert played.game.state.scores == (3, 3), "the field touches Carcassonne"
    assert refused(written(["count"], [turns[0], turns[2], turns[1]], final=True))[0] == 2
    late = copy.deepcopy(turns)
    late[2]["player"] = 0
    assert refused(written(["count"], late, final=True)) == (3, "COUNT-22")


@for_each(
    ("sets", "turns", "fault"),
    [
        (["river1"], [entry(0, "base.B", 1, 0)], (1, "RIVER-2")),
        (["river1"], [entry(0, "river1.lake", 1, 0)], (1, "RIVER-2")),
        (["river1"], [entry(0, "river1.straight", 0, 1)], (1, "RIVER-5")),
        (
            ["river1"],
            [entry(0, "river1.curve", 1, 0), entry(1, "river1.corner-city", 1, 1, 0)],
            (2, "BASE-9"),
        ),
        (
            ["river1"],
            [entry(0, "river1.curve", 1, 0), entry(1, "river1.curve", 1, 1, 90)],
            (2, "RIVER-6"),
        ),
        (["cult"], [entry(0, "winter.dead-end", 1, 0)], (1, "BASE-2")),
        (["cult"], [entry(0, "cult.shrine-city-two-roads", 1, 0)], (1, "BASE-2")),
        (
            ["abbot"],
            [entry(0, "base.B", 0, 1, deploy=deploy("field", "NNW", "abbot"))],
            (1, "BASE-17"),
        ),
        (["abbot"], [entry(0, "base.Ug", 1, 0, deploy=deploy("garden"))], (1, "BASE-17")),
        (
            ["abbot"],
            [entry(0, "base.B", 0, 1, deploy=deploy("monastery", None, "abbot"), recall=[0, 1])],
            (1, "ABBOT-3"),
        ),
        (["abbot"], [entry(0, "base.B", 0, 1, recall=[0, 0])], (1, "ABBOT-8")),
        (
            ["traders-and-builders"],
            [entry(0, "base.U", 1, 0, deploy=deploy("road", "E", "builder"))],
            (1, "TB-4"),
        ),
        (
            ["traders-and-builders"],
            [entry(0, "base.U", 1, 0, deploy=deploy("road", "E", "pig"))],
            (1, "BASE-17"),
        ),
        (
            ["traders-and-builders"],
            [entry(0, "base.U", 1, 0), entry(0, "base.U", 2, 0)],
            (2, "BASE-6"),
        ),
        (["winter"], [entry(0, "base.B", 0, 1, deploy=deploy("monastery", None, "large"))], (1, "BASE-20")),
    ],
)
def test_what_breaks_the_rules_is_named(sets: list[str], turns: list[Any], fault: tuple[int, str]) -> None:
    assert refused(written(sets, turns)) == fault


def test_a_missing_walk_of_the_gingerbread_man() -> None:
    turns = [entry(0, "base.D", 1, 0), entry(1, "base.E", 0, -1, 180)]
    options = {"gingerbread": True}
    assert refused(written(["winter"], turns, options=options)) == (2, "WINTER-6")
    turns[1]["gingerbread"] = {"at": [1, 0], "side": "N"}
    assert record.replay(written(["winter"], turns, options=options)).game.state.turn_seat == 0
    turns[1]["gingerbread"] = {"at": [0, 0], "side": "N"}
    assert refused(written(["winter"], turns, options=options)) == (2, "WINTER-6")
    later = [entry(0, "base.B", 0, 1), entry(1, "base.B", 0, 2), {**turns[0], "player": 0}, {**turns[1]}]
    assert refused(written(["winter"], later, options=options)) == (4, "WINTER-6")
    del later[3]["gingerbread"]
    assert refused(written(["winter"], later, options=options)) == (4, "WINTER-6")
    later[3]["gingerbread"] = {"at": [1, 0], "side": 0}
    assert refused(written(["winter"], later, options=options)) == (4, "")


def test_shrines_beside_two_monasteries() -> None:
    turns = [entry(0, "base.B", 0, 1), entry(1, "base.B", 0, 2), entry(0, "cult.shrine", 1, 1)]
    assert refused(written(["cult"], turns)) == (3, "CULT-2")


def test_a_cell_outside_the_table() -> None:
    turns = [entry(n % 2, "base.U", n + 1, 0) for n in range(5)]
    assert refused(written([], turns, options={"board_limit": "fixed 9x9"})) == (5, "HR-10")


def test_a_replaced_start_tile_is_one_that_the_sets_hold() -> None:
    turns = [entry(n % 2, "base.D", x, -2) for n, x in enumerate((0, -1, -2, -3, -4))]
    assert len(record.replay(written(["count"], turns[:4])).turns) == 4
    assert refused(written(["count"], turns)) == (5, "BASE-2")


def test_edges_inside_the_block_are_not_compared_but_those_round_it_are() -> None:
    stored = written(["count"], [])
    assert record.replay(stored).game.decision.kind == "draw"
    beside = {"tile": "base.C", "at": [0, 2], "rotation": 0}
    assert refused({**stored, "start": [*BLOCK, beside]}) == (0, "BASE-9")
    assert refused({**stored, "start": [beside, *BLOCK]}) == (0, "BASE-9")


def test_tiles_that_come_again_are_not_counted() -> None:
    """HR-6."""
    turns = [
        entry(0, "base.E", 0, -1, 180),
        {"player": 1, "discard": "base.C"},
        entry(1, "base.B", 0, 1),
        {"player": 0, "discard": "base.C"},
        entry(0, "base.B", 0, 2),
    ]
    assert record.replay(written([], turns, options={"unplaceable": "back_in_bag"})).game.state.turn_seat == 1
    assert refused(written([], turns)) == (4, "BASE-2")


def test_held_tiles_are_found_in_the_entries() -> None:
    """HR-2: what the record does not say is dealt so that its turns are possible."""
    turns = [
        entry(0, "base.E", 0, -1, 180),
        {"player": 1, "discard": "base.C"},
        entry(1, "base.B", 0, 1),
        entry(0, "base.B", 0, 2),
    ]
    options = {"next_tile": "at_turn_end"}
    played = record.replay(written([], turns, options=options, final=True))
    assert played.game.state.discarded == ("base.C",)
    assert refused(written([], [turns[0], turns[2], turns[1]], options=options))[0] == 3
    assert refused(written([], [turns[0], entry(1, "base.C", 0, -2)], options=options))[0] == 2
    wrong = [turns[0], entry(0, "base.B", 0, 1)]
    assert refused(written([], wrong, options=options)) == (2, "BASE-6")


def test_tiles_of_which_a_record_says_nothing_leave_what_others_will_need() -> None:
    """HR-3: each of four seats is dealt three tiles and plays two. The third one of the first seat is not the
    base.A that the second seat needs, but one of the nine base.V, of which no more than five are needed."""
    rules = make_rule_set(("base",), 4, hand="three_hidden")
    game = with_bag(Game.new(rules), "base.A", "base.U", "base.U", *["base.V"] * 9)
    turns = [
        entry(0, "base.U", -1, 0),
        entry(1, "base.A", -2, 0, 270),
        entry(2, "base.V", -3, 0),
        entry(3, "base.V", -4, 0, 180),
        entry(0, "base.U", -5, 0, 90),
        entry(1, "base.V", -6, 0),
        entry(2, "base.V", -7, 0, 180),
        entry(3, "base.V", -8, 0),
    ]
    reader = Reader(game, [], turns)
    reader.read(final=False)
    assert len(reader.turns) == 8
    assert reader.game.state.hands == (("base.V",),) * 4


@pytest.mark.parametrize(
    "options",
    [
        {"start_tile": "in_bag"},
        {"hand": "four"},
        {"board_limit": "fixed 19"},
        {"border_completes": True},
        {"cult_tiles": "5"},
        {"king": "on"},
        {"figures": {"dragon": 1}},
        {"gingerbread": True},
    ],
    ids=str,
)
def test_options_that_are_refused(options: dict[str, Any]) -> None:
    assert refused(written(["count"], [], options=options))[0] == 0


def test_a_game_that_begins_with_the_first_tile_drawn() -> None:
    """HR-4."""
    stored = written([], [entry(0, "base.U", 1, 0)], options={"start_tile": "in_bag"})
    stored["start"] = [{"tile": "base.X", "at": [0, 0], "rotation": 0}]
    assert len(record.replay(stored).turns) == 1


ODD_VALUES: list[Any] = [None, 1, -1, 0, "x", "", [], {}, [1], {"a": 1}, True, 1.5, 10**9, "base.B", [0, 0]]


def ways_in(part: Any) -> list[tuple[Any, Any]]:
    """All places inside *part*, as container and key."""
    keys = part.keys() if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
    return [way for key in keys for way in [(part, key), *ways_in(part[key])]]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_wrong_with_a_record_it_is_refused_as_a_record(seed: int) -> None:
    """Never with another error, wherever something odd stands or is missing."""
    random = Random(seed)
    rules = make_rule_set(
        EVERYTHING, 2 + seed, gingerbread=True, **({"hand": "three_open"} if seed % 2 else {})
    )
    names = [f"player {seat}" for seat in range(rules.seats)]
    whole = record.write(rules, names, play_random_game(rules, random).played, final=True)
    whole["turns"] = [one for number, one in enumerate(whole["turns"]) if number < 12 or "at_end" in one]
    refusals = 0
    for _ in range(120):
        changed = copy.deepcopy(whole)
        container, key = random.choice(ways_in(changed))
        if random.random() < 0.7:
            container[key] = copy.deepcopy(random.choice(ODD_VALUES))
        else:
            del container[key]
        try:
            record.replay(changed)
        except InvalidRecord:
            refusals += 1
    assert refusals > 60


def test_a_record_in_mid_game_says_nothing_of_hidden_hands() -> None:
    """HR-3."""
    random = Random(2)
    rules = make_rule_set(("base",), 3, hand="three_hidden")
    game = Game.new(rules)
    while len(game.state.board.tiles) < 9:
        game = game.play(pick_random_action(game, random))
    stored = record.write(rules, ["A", "B", "C"], game.played, final=False)
    named = [one.get("tile", one.get("discard")) for one in stored["turns"]]
    assert sorted(named) == sorted(
        [tile.tile for tile in list(game.state.placed)[1:]] + list(game.state.discarded)
    )
    assert list(record.replay(stored).game.state.placed) == list(game.state.placed)
