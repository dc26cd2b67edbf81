"""Tests that all codes of the rules have words: refusals, events, terms."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from games import rules, words
from games.rules import Scored, event_from_json, event_to_json
from games.rules.playout import play_random_game
from games.words import errors, events
from tests.games.rules.combination_helpers import EVERYTHING, make_rule_set

RULES = Path(rules.__file__).parent


def codes(pattern: str) -> set[str]:
    """Every code that the rules raise in this way, found in their source."""
    source = "\n".join(path.read_text() for path in sorted(RULES.rglob("*.py")))
    return set(re.findall(pattern, source))


def test_every_refusal_has_a_sentence() -> None:
    raised = codes(r'IllegalAction\(\s*"(\w+)"')
    assert raised
    assert raised <= set(errors._REFUSALS)


@pytest.mark.parametrize(
    "options",
    [
        {"gingerbread": True, "unplaceable": "back_in_bag", "board_limit": "fixed 13x13"},
        {"gingerbread": True, "hand": "three_open", "count_final": "all_quarters"},
        {"king_and_robber": "10-each", "count_move": "clockwise"},
    ],
    ids=str,
)
def test_every_event_of_a_game_with_everything_has_a_sentence(options: dict[str, object]) -> None:
    names = ["Ann", "Ben", "Cy"]
    game = play_random_game(make_rule_set(EVERYTHING, 3, **options), Random(4))
    for ply in game.played:
        for event in ply.events:
            again = event_from_json(json.loads(json.dumps(event_to_json(event))))
            assert again == event
            sentence = words.tell_event(event, names)
            assert sentence or isinstance(event, events._SILENT)
            if isinstance(event, Scored):
                assert all(words.format_term(term) for term in event.terms)
