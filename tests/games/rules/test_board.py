"""Tests of a board's cached spaces and meeples against its tiles."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games.rules import get_tile
from games.rules.board import Board, Meeple, _meet
from games.rules.geometry import get_cell
from games.rules.playout import pick_random_rules
from games.rules.tiles import FOLLOWER, SURROUNDED
from tests.cases import for_each

from .combination_helpers import EVERYTHING, make_rule_set
from .state_helpers import MANY_FIGURES, sample_states


@for_each("seed", range(20))
def test_a_board_notes_what_each_space_meets(seed: int) -> None:
    random = Random(seed)
    rules = make_rule_set(EVERYTHING, 4, **MANY_FIGURES) if seed % 2 else pick_random_rules(random)
    for state in sample_states(rules, random, every=9):
        board = state.board
        behind: dict[int, dict[int, int]] = {}  # cell -> id of a feature -> mask of the ports to it
        for port, code in board.rim.items():
            cell, at = divmod(port, 12)
            masks = behind.setdefault(cell, {})
            feature = id(board.features[code])
            masks[feature] = masks.get(feature, 0) | 1 << at
        assert set(behind) <= set(board.needs)
        for feature in board.all_features():
            faced = {cell: masks[id(feature)] for cell, masks in behind.items() if id(feature) in masks}
            assert feature.faces == faced
            for cell, mask in faced.items():
                assert bool(board.occupied.get(cell, 0) & mask) == bool(feature.meeples)
        for cell in board.needs:
            several = [mask for mask in behind.get(cell, {}).values() if mask.bit_count() > 1]
            assert sorted(board.twice.get(cell, ())) == sorted(several)
        standing = Counter(meeple for feature in board.all_features() for meeple in feature.meeples)
        assert Counter(one for mine in board.standing.values() for one in mine) == standing
        assert all(one.seat == seat for seat, mine in board.standing.items() for one in mine)
        with_buildings = [
            cell for cell, turned in board.tiles.items() if any(lie.kind in SURROUNDED for lie in turned.lies)
        ]
        assert list(board.buildings) == with_buildings


def test_a_feature_that_everybody_has_left_leads_to_no_meeple_any_more() -> None:
    board = Board.empty().lay(get_cell(0, 0), get_tile("base.U").at(0))
    (road,) = board.features_where(lambda feature: feature.kind == "road")
    meeple = Meeple(0, FOLLOWER, road.segments[0])
    claimed = board.with_meeple(meeple)
    assert {space: claimed.occupied[space] for space in road.faces} == road.faces
    left = claimed.without_meeple(meeple)
    assert {space: left.occupied[space] for space in road.faces} == dict.fromkeys(road.faces, 0)


def test_what_meets_a_space_twice_is_noted_beside_what_else_does() -> None:
    faces, twice = {7: 0b0100}, {7: (0b0011,)}
    _meet(faces, {7: 0b1000, 8: 0b0001}, 8, twice)
    assert faces == {7: 0b1100}
    assert twice == {7: (0b0011, 0b1100)}


@pytest.mark.parametrize("first", [0, 1])
def test_cities_that_begin_on_one_tile_stand_in_its_order_whichever_was_laid_first(first: int) -> None:
    """BASE-29: the logs of two processes, and of a game replayed, are the same."""
    laid = [(get_cell(0, 1), get_tile("base.E").at(0)), (get_cell(1, 0), get_tile("base.E").at(270))]
    board = (
        Board.empty().lay(*laid[first]).lay(*laid[1 - first]).lay(get_cell(0, 0), get_tile("base.I").at(180))
    )
    cities = board.features_where(lambda feature: feature.kind == "city")
    assert [(*board.spot_of(city)[:2], city.tiles) for city in cities] == [(0, 0, 2), (0, 0, 2)]
    assert [board.spot_of(city).side for city in cities] == ["S", "E"]
