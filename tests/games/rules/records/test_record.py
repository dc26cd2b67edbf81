"""Tests of records: written ones can be read, and invalid ones are refused at the faulty entry."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.rules import InvalidRecord, RuleSet
from games.rules.playout import play_random_game
from games.rules.records import record
from tests.cases import for_each

CITIES = json.loads(
    (Path(__file__).parents[3] / "conformance" / "basic" / "cities-and-roads.json").read_text()
)

CITY_S = {"meeple": "follower", "on": "city", "side": "S"}


def refused(change: Any) -> InvalidRecord:
    """The error of the conformance record after *change*."""
    changed = copy.deepcopy(CITIES)
    change(changed)
    with pytest.raises(InvalidRecord) as caught:
        record.replay(changed)
    return caught.value


def lying(tile: str, x: int) -> dict[str, Any]:
    """A start tile."""
    return {"tile": tile, "at": [x, 9], "rotation": 0}


def event(**changed: Any) -> dict[str, Any]:
    """An expected scoring of a record."""
    return {"player": 0, "on": "city", "points": 4, **changed}


@pytest.mark.parametrize("seats", [1, 2, 3, 6])
def test_a_played_game_written_and_replayed_has_the_same_scores(seats: int) -> None:
    rules = RuleSet.of(seats=seats)
    game = play_random_game(rules, Random(seats))
    names = [f"player {seat}" for seat in range(seats)]
    written = json.loads(json.dumps(record.write(rules, names, game.played, final=True)))
    replayed = record.replay(written)
    assert replayed.game.state.scores == game.state.scores
    assert tuple(sum(kinds.values()) for kinds in replayed.by_kind) == game.state.scores
    assert len(replayed.turns) + len(game.state.discarded) == 71


def test_a_record_in_mid_game_has_no_final_scoring() -> None:
    def stop(changed: dict[str, Any]) -> None:
        changed["final"] = False
        changed["turns"] = changed["turns"][:3]
        del changed["expect"]

    changed = copy.deepcopy(CITIES)
    stop(changed)
    replayed = record.replay(changed)
    assert replayed.game.decision.kind == "draw"
    assert len(replayed.turns) == 3


def test_another_result_is_told_apart_from_an_illegal_record() -> None:
    changed = copy.deepcopy(CITIES)
    changed["expect"]["scores"][0] += 1
    changed["expect"]["events"] = [event(points=99), *[event(player=1, points=8)] * 3]
    played = record.replay(changed)
    got = played.game.state.scores[0]
    assert record.find_differences(changed, played) == [
        f"player 0 has {got} points, expected {got + 1}",
        "no scoring of 99 on city for player 0",
        "no scoring of 8 on city for player 1",  # there are two, and each counts once
    ]


def test_null_as_an_expected_score_takes_any_score() -> None:
    changed = copy.deepcopy(CITIES)
    changed["expect"]["scores"] = [None] * len(changed["players"])
    assert record.find_differences(changed, record.replay(changed)) == []


@for_each(
    ("change", "reason"),
    [
        (lambda r: r.update(format="other"), "format"),
        (lambda r: r.update(version=2), "version"),
        (lambda r: r.update(version=True), "version"),
        (lambda r: r.update(more=1), "unknown key: more"),
        (lambda r: r.pop("final"), "key missing: final"),
        (lambda r: r.update(final=1), "final has the wrong type"),
        (lambda r: r.update(players=[]), "players"),
        (lambda r: r.update(players=[1]), "name"),
        (lambda r: r.update(players=["A"] * 7), "not 1 to 6 players"),
        (lambda r: r.update(sets=["base", ["river1"]]), "a set's name is not text"),
        (lambda r: r.update(sets=["base", "moon"]), "unknown set"),
        (lambda r: r.update(sets=["base", "base"]), "set twice"),
        (lambda r: r.update(sets=[]), "base missing"),
        (lambda r: r.update(edition="C9"), "unknown edition"),
        (lambda r: r.update(options={"moon": True}), "unknown option"),
        (lambda r: r.update(options={"two_tile_city": "2"}), "unknown value"),
        (lambda r: r.update(options={"sixth_player": 1}), "unknown value"),
        (lambda r: r.update(options={"figures": {"follower": -1}}), "unknown value"),
        (lambda r: r.update(start=[]), "no start tile"),
        (lambda r: r["start"].append(dict(r["start"][0])), "two start tiles"),
        (lambda r: r["start"].append({"tile": "base.E", "at": [1, 0], "rotation": 0}), "start tiles differ"),
        (lambda r: r["start"][0].update(tile="base.Z"), "unknown tile"),
        (lambda r: r["start"][0].update(at=[0.0, 0]), "at is not"),
        (lambda r: r["start"][0].update(tile=["base.D"]), "unknown tile"),
        (lambda r: r["start"][0].update(rotation=45), "no such rotation"),
        (lambda r: r["start"][0].update(rotation=90.0), "no such rotation"),
        (lambda r: r["start"][0].update(rotation=False), "no such rotation"),
        (lambda r: r["start"].append("base.E"), "a start tile is no object"),
        (lambda r: r["start"].extend(lying("base.C", n) for n in (3, 5)), "too many copies: base.C"),
        (lambda r: r["start"].append({"tile": "base.B", "at": [-1, 0], "rotation": 0}), "start tiles differ"),
        (lambda r: r["start"].append({"tile": "base.E", "at": [0, 1], "rotation": 0}), "start tiles differ"),
        (lambda r: r["start"].append({"tile": "base.B", "at": [0, -1], "rotation": 0}), "start tiles differ"),
        (lambda r: r["expect"].update(scores=[1]), "one score for each player"),
        (lambda r: r["expect"].update(scores={}), "are lists"),
        (lambda r: r["expect"].update(events={}), "are lists"),
        (lambda r: r["expect"].update(scores=["1"] * len(r["players"])), "a score is no number"),
        (lambda r: r["expect"].update(scores=[True] * len(r["players"])), "a score is no number"),
        (lambda r: r["expect"].update(events=["city"]), "an event is no object"),
        (lambda r: r["expect"].update(events=[{"player": 0, "on": "city"}]), "key missing: points"),
        (lambda r: r["expect"].update(events=[event(on=4)]), "names a kind"),
        (lambda r: r["expect"].update(events=[event(points="4")]), "names a kind"),
        (lambda r: r["expect"].update(events=[event(player=len(r["players"]))]), "no such player"),
        (lambda r: r["expect"].update(events=[event(player=-1)]), "no such player"),
        (lambda r: r["expect"].update(events=[event(player=False)]), "no such player"),
    ],
)
def test_what_is_no_record_is_refused_before_the_first_entry(change: Any, reason: str) -> None:
    error = refused(change)
    assert reason in error.reason
    assert error.entry == 0


@for_each(
    ("change", "entry", "reason", "rule"),
    [
        (lambda r: r["turns"][0].update(player=1), 1, "wrong player", "BASE-6"),
        (lambda r: r["turns"][1].update(player=7), 2, "no such player", ""),
        (lambda r: r["turns"][0].update(tile="base.Eg"), 1, "unknown tile", "BASE-2"),
        (lambda r: r["turns"][0].update(rotation=45), 1, "no such rotation", "BASE-13"),
        (lambda r: r["turns"][0].update(at=[0, 0]), 1, "cell taken", "BASE-8"),
        (lambda r: r["turns"][0].update(at=[5, 5]), 1, "not adjacent", "BASE-8"),
        (lambda r: r["turns"][0].update(at=[10**9, 0]), 1, "at is not", ""),
        (lambda r: r["turns"][0].update(rotation=0), 1, "edge differs", "BASE-9"),
        (
            lambda r: r["turns"][0].update(deploy=CITY_S, recall=[0, 0]),
            1,
            "both deploy and recall",
            "ABBOT-3",
        ),
        (
            lambda r: r["turns"][0].update(deploy={"meeple": "follower", "on": "monastery"}),
            1,
            "no such spot",
            "BASE-17",
        ),
        (
            lambda r: r["turns"][0].update(deploy={**CITY_S, "meeple": "abbot"}),
            1,
            "none in supply",
            "BASE-20",
        ),
        (
            lambda r: r["turns"][0].update(deploy={"meeple": "follower", "on": "city"}),
            1,
            "no such spot",
            "BASE-17",
        ),
        (lambda r: r["turns"][2].update(more=1), 3, "unknown key", ""),
        (lambda r: r["turns"].insert(1, "base.E"), 2, "not an object", ""),
        (lambda r: r["turns"][0].update(deploy="city S"), 1, "deploy is no object", ""),
        (lambda r: r["turns"][0].update(deploy={**CITY_S, "side": None}), 1, "by text", ""),
        (lambda r: r["turns"][0].update(deploy={**CITY_S, "meeple": 1}), 1, "by text", ""),
        (lambda r: r["turns"][0].update(deploy={**CITY_S, "more": 1}), 1, "unknown key", ""),
        (lambda r: r["turns"][0].update(recall="0,0"), 1, "at is not", ""),
        (lambda r: r["turns"].insert(0, {"player": 0, "discard": "base.D"}), 1, "tile that fits", "BASE-15"),
    ],
)
def test_the_first_entry_at_fault_is_named_with_its_rule(
    change: Any, entry: int, reason: str, rule: str
) -> None:
    error = refused(change)
    assert (error.entry, error.rule) == (entry, rule)
    assert reason in error.reason


def test_more_copies_than_the_set_holds_are_refused() -> None:
    turns = [
        {"player": n % 2, "tile": "base.C", "at": [0, -1 - n], "rotation": 0} for n in range(2)
    ]  # there is one C
    error = refused(lambda changed: changed.update(players=["A", "B"], turns=turns))
    assert (error.entry, error.rule) == (2, "BASE-2")


def test_a_discard_is_checked_and_the_same_player_draws_again() -> None:
    """base.md, example 21."""
    changed = copy.deepcopy(CITIES)
    changed.update(
        players=["A", "B"],
        turns=[
            {"player": 0, "tile": "base.E", "at": [0, -1], "rotation": 180},
            {"player": 1, "discard": "base.C"},
            {"player": 1, "tile": "base.E", "at": [1, -1], "rotation": 180},
        ],
        final=False,
    )
    del changed["expect"]
    replayed = record.replay(changed)
    assert replayed.game.state.discarded == ("base.C",)
    assert replayed.game.state.turn_seat == 0


def test_a_tile_that_fits_nowhere_can_not_be_placed() -> None:
    """BASE-15."""
    turns = [
        {"player": 0, "tile": "base.E", "at": [0, -1], "rotation": 180},
        {"player": 1, "tile": "base.C", "at": [0, -2], "rotation": 0},
    ]
    error = refused(lambda changed: changed.update(players=["A", "B"], turns=turns))
    assert (error.entry, error.rule) == (2, "BASE-15")
    assert "base.C fits nowhere" in error.reason


def test_a_key_given_twice_is_refused() -> None:
    with pytest.raises(InvalidRecord, match=r"given twice: a$"):
        record.loads('{"b": 1, "a": 1, "c": {"b": 3}, "a": 2, "d": 1, "d": 2}')


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, b"\xff"])
def test_what_is_not_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(InvalidRecord, match="not JSON"):
        record.loads(text)


@pytest.mark.parametrize("value", [None, 1, "x", [], [1]])
def test_json_that_is_no_object_is_refused(value: Any) -> None:
    with pytest.raises(InvalidRecord, match="not an object"):
        record.replay(value)
