"""Tests of any moderator's act at any ply of any game: rows and record agree, the game can be played to its
end, and its record can be read.

``MODERATED=200 pytest tests/games/play/test_moderation_anywhere.py`` tries so many games.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from games.models import Status
from games.rules.playout import pick_random_rules
from tests.games.factories import make_game
from tests.games.play.moderation_helpers import ModeratedGame

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
GAMES = int(os.environ.get("MODERATED", 0))
CREATOR = {"first_player": "creator"}
KINDS: tuple[dict[str, Any], ...] = (
    {"seats": 2},
    {"seats": 3, "options": {**CREATOR, "hand": "three_hidden"}},
    {"seats": 3, "options": {**CREATOR, "unplaceable": "back_in_bag"}},
    {"seats": 2, "sets": ("base", "river1"), "options": {**CREATOR, "next_tile": "at_turn_end"}},
    {"seats": 3, "sets": ("base", "count"), "bots": 1},
    {"seats": 4, "sets": ("base", "inns-and-cathedrals", "abbot"), "edition": "C2", "rated": True},
)
"""Hands of three, tiles that go back into the bag, groups of tiles, questions to other seats, bots."""

DRAWN = 4  # games of any sets, options and number of seats, besides


def kind(number: int) -> dict[str, Any]:
    """The settings of the game of that number: one of a fixed list, or drawn from all valid rule sets."""
    if number < len(KINDS):
        return {"options": CREATOR, **KINDS[number]}
    rules = pick_random_rules(Random(number))
    return {
        "sets": rules.sets,
        "edition": rules.edition,
        "options": dict(rules.options),
        "seats": rules.seats,
        "rated": number % 2 == 0,
    }


@pytest.mark.parametrize("number", range(GAMES or len(KINDS) + DRAWN))
def test_any_acts_at_any_plies_leave_a_sound_game_that_goes_on(number: int) -> None:
    moderated = ModeratedGame(make_game(**kind(number)), seed=number)
    for _ in range(4):
        moderated.play(moderated.chance.randrange(1, 6))
        moderated.moderate()
    while moderated.acts < 5:
        moderated.moderate()
    moderated.go_on()
    to_the_end = GAMES or number % len(KINDS) == 0
    moderated.play(400 if to_the_end else 5)
    moderated.must_be_sound()
    if to_the_end:
        assert moderated.game.status == Status.FINISHED
