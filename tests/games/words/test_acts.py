"""Tests of the sentences for acts of a table."""

from games.play.audit import TABLE_ACTS
from games.words.acts import ACTS, format_act


def test_every_act_of_a_table_has_a_sentence() -> None:
    assert frozenset(TABLE_ACTS) == ACTS


def test_given_time_says_to_whom() -> None:
    act = {"type": "give", "to": [0, 2], "days": 2}
    assert format_act(act, 1, ["Ann", "Ben", "Cy"]) == "Ben gave time: 2 days for Ann, Cy."
