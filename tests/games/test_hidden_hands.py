"""Tests that hands are secret: games that differ in one hand alone look the same to all others."""

from itertools import chain
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from games.models import Game
from games.play import positions
from games.rules import RuleSet
from tests.games.factories import (
    NOW,
    bag_of,
    heart_beats,
    make_game,
    make_player,
    make_players,
    new_process,
    play_lines,
)
from tests.games.hidden_hand_helpers import HELD, collect_answers

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
OPTIONS = {"first_player": "creator", "hand": "three_hidden"}
ANNA, CLARA = ["base.U", "base.V", "base.D"], ["base.V", "base.U", "base.W"]


def deal(held: list[str]) -> Game:
    """Make a game of three in which Bruno holds the tiles *held*; others go to the bottom of the bag."""
    others = list(chain(*HELD))
    for tile in held:
        others.remove(tile)
    first = [*ANNA, *held, *CLARA]
    order = bag_of(RuleSet.of(seats=3, options=OPTIONS), *first, *others)
    rest = order[len(first) + len(others) :]
    return make_game(seats=3, options=OPTIONS, bag=[*first, *rest, *others], name="Lagny", now=timezone.now())


def seen(held: list[str], turns: int) -> dict[str, str]:
    """All responses after so many *turns*, of a game that is rolled back."""
    with transaction.atomic():
        game = deal(held)
        for _ in range(turns):
            legal = positions.load_position(game).legal_actions()
            at = legal.placements_of("base.U")[0]  # of which everybody has one
            play_lines(game, f"base.U@{at.x},{at.y} r{at.rotation}", now=timezone.now())
            game.refresh_from_db()
        answers = dict(collect_answers(game))
        transaction.set_rollback(True)
    new_process()
    return answers


@pytest.mark.parametrize("turns", [0, 2])
def test_nobody_else_can_tell_what_is_in_a_hand(turns: int, monkeypatch: Any) -> None:
    make_players(3)
    make_player("Staff", is_staff=True, is_superuser=True)
    monkeypatch.setattr("games.models.game.secrets.choice", lambda letters: letters[0])
    with time_machine.travel(NOW, tick=False):
        heart_beats(NOW)
        one, other = (seen(held, turns) for held in HELD)
    assert len(one) > 150
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
