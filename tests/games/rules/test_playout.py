"""Tests of checks during random games: they find faults, and run as often as they should."""

from collections.abc import Iterator
from random import Random

import pytest

from games.rules import Game, RuleSet, playout
from games.rules.playout import (
    find_game_faults,
    find_replay_faults,
    pick_random_rules,
    play_checked_game,
    play_random_game,
)

BEGUN = Game.new(RuleSet.of())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"supply": ({"follower": 8}, {"follower": 7})}, ["seat 0 has 8 follower in hand and 0 out"]),
        ({"supply": ({"follower": 7}, {"follower": 6})}, ["seat 1 has 6 follower in hand and 0 out"]),
        ({"supply": ({"follower": -1}, {"follower": 7})}, ["seat 0 has -1 follower in hand and 0 out"]),
        ({"left": 70}, ["70 tiles are left, 71 remain", "71 tiles of 72"]),
        ({"discarded": ("base.A",)}, ["73 tiles of 72"]),
        ({"aside": ("base.A",)}, ["73 tiles of 72"]),
        ({"hands": (("base.A", "base.B"), ("base.B",))}, ["75 tiles of 72"]),
        ({"drawn": "base.A"}, ["73 tiles of 72"]),
    ],
)
def test_figures_and_tiles_that_do_not_add_up_are_told(change: dict[str, object], told: list[str]) -> None:
    assert list(find_game_faults(Game(BEGUN.state.but(**change)))) == told


@pytest.fixture(scope="module")
def over() -> Game:
    return play_random_game(RuleSet.of(sets=["base", "king-and-robber"]), Random(3))


def test_a_game_that_comes_again_from_what_is_stored_has_no_fault(over: Game) -> None:
    assert list(find_replay_faults(over)) == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (lambda state: state.but(scores=(0, 0)), "scores (0, 0), from the record {scores}"),
        (lambda state: state.but(slices={}), "the record gives another board"),
        (lambda state: state.but(turn_seat=1 - state.turn_seat), None),
    ],
    ids=["scores", "cards", "the turn"],
)
def test_a_game_that_does_not_is_told(over: Game, changed, told: str | None) -> None:
    wrong = Game(changed(over.state), over.played)
    first = [told.format(scores=over.state.scores)] if told else []
    assert list(find_replay_faults(wrong)) == [*first, "the events give another state"]


@pytest.mark.parametrize("every", [1, 40, 71, 1000])
def test_a_game_is_looked_at_after_so_many_actions_and_at_its_end(monkeypatch, every: int) -> None:
    seen: list[int] = []

    def look(game: Game) -> Iterator[str]:
        seen.append(len(game.played))
        return iter(())

    monkeypatch.setattr(playout, "find_game_faults", look)
    game = play_checked_game(RuleSet.of(), Random(7), every=every)
    actions = len(game.played)
    assert seen == [*range(every, actions, every), actions]


def test_what_is_seen_stops_the_game(monkeypatch) -> None:
    monkeypatch.setattr(playout, "find_game_faults", lambda game: iter(["a tile is gone"]))
    with pytest.raises(AssertionError, match="a tile is gone"):
        play_checked_game(RuleSet.of(), Random(7))


def test_rules_that_do_not_go_together_are_drawn_anew() -> None:
    assert all(isinstance(pick_random_rules(Random(seed)), RuleSet) for seed in range(60))
