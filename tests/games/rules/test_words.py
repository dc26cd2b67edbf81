"""Everything that the rules say in codes has words: options, refusals, events, terms, warnings."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from games import words
from games.option_words import OPTIONS, SETS
from games.rules import InvalidRuleSet, RuleSet, Scored, all_options, event_from_json, event_to_json
from games.rules.playout import random_game
from games.rules.tiles import sets_with_tiles

from .test_combinations import EVERYTHING, rules_of

RULES = Path(words.__file__).parent / "rules"


def codes(pattern: str) -> set[str]:
    """Every code that the rules raise in this way, found in their source."""
    source = "\n".join(path.read_text() for path in sorted(RULES.rglob("*.py")))
    return set(re.findall(pattern, source))


def test_every_set_has_a_name() -> None:
    assert set(SETS) == {*sets_with_tiles(), "abbot"}


@pytest.mark.parametrize("option", all_options(), ids=lambda option: option.name)
def test_every_value_of_every_option_has_words(option: object) -> None:
    told = {words.option(option.name, value) for value in option.values}  # type: ignore[attr-defined]
    assert len(told) == len(option.values)  # type: ignore[attr-defined]
    assert all(heading and text for heading, text in told)


def test_a_rule_set_with_everything_is_told_in_words() -> None:
    told = words.rule_set(rules_of(EVERYTHING))
    assert len(told) == 2 + len(OPTIONS)


def test_every_refusal_has_a_sentence() -> None:
    raised = codes(r'IllegalAction\(\s*"(\w+)"')
    assert raised
    assert raised <= set(words._REFUSALS)


def test_every_refused_rule_set_has_a_sentence() -> None:
    raised = codes(r'InvalidRuleSet\(\s*"(\w+)"')
    assert {"abbot_needs_gardens", "start_is_taken"} <= raised
    for code in raised:
        error = InvalidRuleSet(code, set="winter", option="gingerbread", edition="C1", value=1)
        assert words.bad_rule_set(error)


def test_every_warning_has_a_sentence() -> None:
    assert len(words.warnings(rules_of(("base", "count", "river2")))) == 1
    assert words.warnings(RuleSet.of()) == []
    assert codes(r'Warn\(\s*"(\w+)"') == set(words._WARNINGS)


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
    game = random_game(rules_of(EVERYTHING, 3, **options), Random(4))
    for ply in game.played:
        for event in ply.events:
            again = event_from_json(json.loads(json.dumps(event_to_json(event))))
            assert again == event
            sentence = words.event_sentence(event, names)
            assert sentence or isinstance(event, words._SILENT)
            if isinstance(event, Scored):
                assert all(words.term(term) for term in event.terms)
