"""Tests of composing a turn step by step: possible choices, and their encoding in the URL."""

from urllib.parse import parse_qsl

import pytest

from games.pages.turn.draft import NOTHING, build_turn_query, compose, parse_line, parse_query, turn_figure
from games.rules import Deploy, Game, Place, Placement, get_tile
from games.rules.notation import BadNotation
from tests.games.rules.boards import drawn


def asked(address: str) -> dict[str, str]:
    return dict(parse_qsl(address.removeprefix("?")))


def test_nothing_chosen_offers_the_cells_row_by_row() -> None:
    game = drawn("base.V")
    composed = compose(game, NOTHING)
    assert list(composed.cells) == sorted(composed.cells, key=lambda cell: (cell[1], cell[0]))
    assert {(x, y) for x, y, _ in game.legal_actions().placements} == set(composed.cells)
    assert composed.place is None and composed.action is None


def test_a_cell_starts_with_its_first_legal_rotation() -> None:
    game = drawn("base.V")
    rotations = sorted(
        placement.rotation for placement in game.legal_actions().placements if placement[:2] == (1, 0)
    )
    composed = compose(game, parse_query({"at": "1,0"}))
    assert composed.placement == Placement(1, 0, rotations[0])
    assert composed.rotations == tuple(rotations)
    assert not composed.decided and composed.action is None


def test_turning_takes_the_meeple_along() -> None:
    game = drawn("base.K")  # a road to the west goes on round the corner, to the north or to the south
    composed = compose(game, parse_query({"at": "1,0", "on": "road", "side": "W"}))
    assert composed.decided and composed.placement is not None and composed.next_rotation is not None
    after = turn_figure(composed)
    steps = (composed.next_rotation - composed.placement.rotation) // 90
    assert isinstance(composed.figure, Deploy) and isinstance(after, Deploy)
    index = get_tile("base.K").at(composed.placement.rotation).spots["road", composed.figure.side]
    assert after.side in get_tile("base.K").at(composed.next_rotation).lies[index].sides
    assert steps != 0


def test_every_legal_turn_can_be_said_by_an_address() -> None:
    game = drawn("base.J", "A base.U@-1,0 r0 road W; B base.E@0,-1 r180 field NNE")
    legal = [action for action in game.legal_actions() if isinstance(action, Place)]
    assert legal
    for action in legal:
        address = build_turn_query(
            Placement(action.x, action.y, action.rotation), action.figure, decided=True
        )
        assert compose(game, parse_query(asked(address))).action == action


def test_where_no_meeple_may_stand_none_is_decided() -> None:
    game = drawn("base.U", "A base.U@1,0 r0; B base.U@-1,0 r0")
    state = game.state
    empty = Game(state._replace(supply=tuple({"follower": 0} for _ in state.supply)))
    composed = compose(empty, parse_query({"at": "2,0"}))
    assert composed.decided and composed.action == Place("base.U", 2, 0, 0)


@pytest.mark.parametrize(
    ("asking", "rule"),
    [
        ({"at": "7,7"}, "BASE-8"),
        ({"at": "0,0"}, "BASE-8"),
        ({"at": "0,-1", "r": "0"}, "BASE-9"),
        ({"at": "0,-1", "r": "180", "on": "monastery"}, "BASE-17"),
    ],
)
def test_what_is_not_legal_is_left_out_and_the_rule_named(asking: dict[str, str], rule: str) -> None:
    composed = compose(drawn("base.E"), parse_query(asking))
    assert composed.refused is not None and composed.refused.rule == rule
    assert not composed.decided


@pytest.mark.parametrize(
    "asking",
    [
        {"at": "x"},
        {"at": "1"},
        {"at": "1,2", "r": "45"},
        {"at": "1,2", "r": "a"},
        {"at": "1,2", "r": "90 city N"},
        {"at": "1,2", "on": "x"},
    ],
)
def test_what_is_no_notation_is_refused(asking: dict[str, str]) -> None:
    with pytest.raises(BadNotation):
        parse_query(asking)


def test_a_refused_line_is_put_together_again_as_far_as_it_is_legal() -> None:
    composed = compose(drawn("base.E"), parse_line("base.E@0,-1 r180 city W"))
    assert composed.placement == Placement(0, -1, 180)
    assert parse_line("nonsense") == NOTHING
