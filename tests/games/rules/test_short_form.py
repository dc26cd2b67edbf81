"""Tests of the short form of turns, for replies to mails."""

from __future__ import annotations

import random

import pytest

from games.rules import Draw, Game, Place, RuleSet
from games.rules.notation import BadNotation
from games.rules.short_form import ShortForm, is_short, list_spots, read_line
from games.rules.tiles import FOLLOWER, Deploy, list_sets_with_tiles, load_tile_set


def play_on(rules: RuleSet, turns: int, seed: int) -> Game:
    """Play so many random turns, up to a tile in hand."""
    chance = random.Random(seed)
    game = Game.new(rules)
    while turns or game.decision.kind != "place":
        turns -= game.decision.kind == "place" and turns > 0
        game = game.play(chance.choice(list(game.legal_actions())))
    return game


RULES = {
    "base": RuleSet.of(),
    "abbot": RuleSet.of(sets=["base", "abbot"], edition="C2"),
    "hand": RuleSet.of(options={"hand": "three_open"}),
}


@pytest.mark.parametrize("name", sorted(RULES))
@pytest.mark.parametrize("turns", [0, 3, 10])
def test_every_turn_with_a_follower_or_none_has_a_line_that_reads_as_it(name: str, turns: int) -> None:
    legal = play_on(RULES[name], turns, seed=turns).legal_actions()
    short = ShortForm(legal)
    lines = set()
    for turn in legal:
        assert isinstance(turn, Place)
        line = short.write(turn)
        reached = turn.figure is None or (isinstance(turn.figure, Deploy) and turn.figure.meeple == FOLLOWER)
        assert (line is not None) == reached, turn
        if line is not None:
            assert is_short(line)
            assert short.read(line) == read_line(f" {line.upper()} ", legal) == turn
            lines.add(line)
    assert len(lines) == sum(short.write(turn) is not None for turn in legal)  # type: ignore[arg-type]


def test_spaces_are_numbered_row_by_row() -> None:
    spaces = ShortForm(play_on(RULES["base"], 8, seed=2).legal_actions()).spaces
    assert [space.number for space in spaces] == list(range(1, len(spaces) + 1))
    assert [(space.y, space.x) for space in spaces] == sorted((space.y, space.x) for space in spaces)


def test_numbers_of_a_hand_run_on_from_tile_to_tile() -> None:
    legal = play_on(RULES["hand"], 2, seed=1).legal_actions()
    spaces = ShortForm(legal).spaces
    tiles = [space.tile for space in spaces]
    assert [id for at, id in enumerate(tiles) if at == 0 or tiles[at - 1] != id] == list(
        dict.fromkeys(id for id in legal.tiles if id in tiles)
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [("0a", "no_such_space"), ("999d", "no_such_space"), ("1a z", "no_such_spot"), ("1a a", "no_such_spot")],
)
def test_a_number_or_letter_that_stands_for_nothing_is_named(line: str, code: str) -> None:
    legal = Game.new(RULES["base"]).play(Draw("base.E")).legal_actions()
    with pytest.raises(BadNotation) as error:
        ShortForm(legal).read(line)
    assert error.value.code == code


def test_where_no_tile_is_placed_a_short_line_is_no_turn() -> None:
    legal = Game.new(RULES["base"]).legal_actions()
    with pytest.raises(BadNotation) as error:
        read_line("1a", legal)
    assert error.value.code == "no_turn"


def test_full_notation_is_read_as_well() -> None:
    legal = Game.new(RULES["base"]).play(Draw("base.E")).legal_actions()
    assert read_line("0,-1 r180 city S", legal) == read_line("1c k", legal)


def test_the_letters_reach_every_spot_of_every_tile() -> None:
    for name in list_sets_with_tiles():
        for tile in load_tile_set(name).tiles:
            spots = list_spots(tile.id)
            assert len(spots) == sum(lie.kind != "river" for lie in tile.at(0).lies), tile.id
