"""Tests of the settings of leagues: their bounds, and how lists summarise them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from games.clocks import DAY, ClockSettings
from games.rules import RuleSet
from leagues.settings import LONGEST_PROTEST, LONGEST_SEASON, MOST_DIVISION, LeagueSettings
from leagues.standings import Rules
from leagues.words.settings_text import summarise_settings
from tests.games.factories import NOW

USUAL = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2))


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"registration": -DAY}, "length"),
        ({"length": DAY - timedelta(seconds=1)}, "length"),
        ({"length": LONGEST_SEASON + timedelta(seconds=1)}, "length"),
        ({"protest": -DAY}, "protest"),
        ({"protest": LONGEST_PROTEST + timedelta(seconds=1)}, "protest"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": MOST_DIVISION + 1}, "rounds"),
        ({"division_size": MOST_DIVISION + 1}, "division_size"),
        ({"late_until": -1}, "late_until"),
        ({"late_until": 101}, "late_until"),
        ({"clock": ClockSettings(start=DAY, gain=DAY, cap=DAY, ends=NOW)}, "clock"),
        ({"standings": Rules.usual(3)}, "points"),
    ],
)
def test_a_value_out_of_its_bounds_is_the_only_fault(changed: dict[str, Any], fault: str) -> None:
    assert list(USUAL.faults()) == []
    assert list(replace(USUAL, **changed).faults()) == [fault]


def test_a_series_is_told_behind_the_seats() -> None:
    series = replace(USUAL, standings=Rules.usual(2, best_of=3))
    assert summarise_settings(series).split(" · ")[:2] == ["Duels", "best of 3"]
