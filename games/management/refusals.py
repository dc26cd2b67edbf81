"""Refusals of rule sets for commands and records, with the names used there."""

from __future__ import annotations

import json
from collections.abc import Collection

from games.rules import InvalidRuleSet, list_all_options
from games.rules.ruleset import EDITIONS, MOST_FIGURES
from games.words import rule_sets

VALUES = {option.name: [json.dumps(value) for value in option.values] for option in list_all_options()} | {
    "board_limit": ['"none"', '"fixed WxH"', '"shifting WxH" (W and H odd, from 9 to 31)'],
    "figures": [f'{{"follower": 7}} (by figure, from 0 to {MOST_FIGURES})'],
}


def format_refusal(error: InvalidRuleSet) -> str:
    """Format *error*: its code, a sentence, the possible values, and the number of the rule."""
    sentence = str(rule_sets.BAD_RULE_SETS[error.code]).format(**error.params)
    known = ", ".join(_list_known(error))
    choose = f" Choose from {known}." if known else ""
    return f"{error.code}: {sentence}{choose}" + (f" ({error.rule})" if error.rule else "")


def _list_known(error: InvalidRuleSet) -> Collection[str]:
    match error.code:
        case "unknown_set":
            return rule_sets.SETS
        case "unknown_edition":
            return EDITIONS
        case "unknown_option":
            return VALUES
        case "unknown_value":
            return VALUES[error.params["option"]]
    return ()
