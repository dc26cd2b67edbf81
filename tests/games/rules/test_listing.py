"""Tests of the list of legal turns against a slow one by brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games.rules import Deploy, Game, Place, Recall, State
from games.rules.board import Board
from games.rules.geometry import ROTATIONS, STEP, get_coordinates
from games.rules.placements import list_bans
from games.rules.playout import pick_random_rules
from games.rules.tiles import MAX_SEGMENTS, get_tile
from tests.cases import for_each

from .combination_helpers import EVERYTHING, make_rule_set
from .state_helpers import MANY_FIGURES, sample_states

CHOSEN: list[dict[str, Any]] = [
    {},
    {"hand": "three_open"},
    MANY_FIGURES,
    MANY_FIGURES | {"hand": "three_hidden", "board_limit": "shifting 15x15"},
    {
        "count_abbot": "cathedral",
        "river_uturn": "last_bend",
        "board_limit": "fixed 17x17",
        "border_completes": True,
    },
]


def slowly(state: State) -> Iterator[Place]:
    """Yield the legal turns, by laying every tile everywhere and checking the result."""
    seat, rules, board = state.turn_seat, state.rules, state.board
    supply = state.supply[seat]
    empty = {cell + step for cell in board.tiles for step in STEP} - set(board.tiles) - board.beyond
    for id in state.playable:
        forbidding = list_bans(state, get_tile(id))
        for cell in empty:
            for rotation in ROTATIONS:
                turned = get_tile(id).at(rotation)
                near = [(side, board.tiles.get(cell + STEP[side])) for side in range(4)]
                if any(one and one.sides[(side + 2) % 4] != turned.sides[side] for side, one in near):
                    continue
                if any(ban(cell, turned) for ban in forbidding):
                    continue
                place = Place(id, *get_coordinates(cell), rotation)
                yield place
                after = board.lay(cell, turned)
                yield from (place._replace(figure=one) for one in recallable(state, after))
                if any(module.closes(rules, turned.tile) for module in rules.asking("closes")):
                    continue
                for lie in turned.lies:
                    there = after.features[cell * MAX_SEGMENTS + lie.index].meeples
                    own = any(one.seat == seat and rules.strengths[one.figure] for one in there)
                    may = [name for name, kinds in rules.claims if lie.kind in kinds and not there]
                    may += [name for name, kinds in rules.joins if lie.kind in kinds and own]
                    for name in may:
                        if supply[name]:
                            yield place._replace(figure=Deploy(name, lie.kind, lie.side))


def recallable(state: State, after: Board) -> Iterator[Recall]:
    """Yield the recalls of the seat on turn, where the board is *after* its tile."""
    for cell, turned in state.board.tiles.items():
        for index in turned.surrounded:
            feature = after.features[cell * MAX_SEGMENTS + index]
            mine = [meeple for meeple in feature.meeples if meeple.seat == state.turn_seat]
            if feature.open_ends and any(one.figure in state.rules.recalled for one in mine):
                yield Recall(*get_coordinates(cell))


def held_against(state: State) -> None:
    legal = Game(state).legal_actions()
    turns = list(legal)
    assert Counter(turns) == Counter(dict.fromkeys(slowly(state), 1))
    assert len(legal) == len(turns)
    assert [legal[number] for number in range(len(turns))] == turns
    assert legal[-1] == turns[-1] and type(legal[0]) is Place
    assert legal[3:9] == turns[3:9]
    with pytest.raises(IndexError):
        legal[len(turns)]


@pytest.mark.parametrize("options", CHOSEN, ids="+".join)
@pytest.mark.parametrize("seats", [2, 5])
def test_turns_of_every_set_are_those_found_slowly(options: dict[str, Any], seats: int) -> None:
    for state in sample_states(make_rule_set(EVERYTHING, seats, **options), Random(seats), every=8):
        held_against(state)


@for_each("seed", range(20))
def test_turns_of_any_combination_are_those_found_slowly(seed: int) -> None:
    random = Random(seed)
    for state in sample_states(pick_random_rules(random), random, every=12):
        held_against(state)
