"""Tests of the log: values before and after."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from games.clocks import DAY, AtEnd
from games.rules import RuleSet
from games.tables.presets import PRESETS
from leagues.schedules.team_rules import TeamRules
from leagues.setting_fields import list_settings
from leagues.settings import Admission, LeagueSettings, Schedule
from leagues.standings import Rules
from leagues.words.log import describe_change

BEFORE = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2))


def told(after: LeagueSettings, before: LeagueSettings = BEFORE) -> str:
    stored = [before.to_json(), after.to_json()]
    changed = {
        key: [stored[0].get(key), stored[1][key]] for key in stored[1] if stored[0].get(key) != stored[1][key]
    }
    return describe_change("edit", {"changed": changed, "settings": stored}, {})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rounds": 2}, "Rounds: 1, now 2"),
        ({"length": 120 * DAY}, "Days of a season at most: 90 days, now 120 days"),
        ({"rated": False}, "Rating: yes, now no"),
        ({"protest": timedelta()}, "Time for protests: 1 day, now 0 minutes"),
        ({"admission": Admission.LINK}, "Who can register?: Anyone, now Anyone with the link you share"),
        ({"again": False}, "Whether the next season opens automatically: The next season opens, now "),
        ({"schedule": Schedule.SWISS.value}, "Format: Everyone plays everyone, now Swiss"),
        ({"standings": Rules.usual(2, best_of=3)}, "Games in a match: one, now best of 3"),
    ],
)
def test_a_setting_is_told_with_its_values(changed: dict[str, object], said: str) -> None:
    assert said in told(replace(BEFORE, **changed))  # type: ignore[arg-type]


def test_the_clock_and_points_are_told_as_the_rules_say_them() -> None:
    slower = replace(BEFORE.clock, gain=2 * DAY, at_end=AtEnd.ORGANISER)
    said = told(replace(BEFORE, clock=slower))
    assert said.startswith("Time: ") and "1 day more with each turn" in said
    assert "2 days more with each turn" in said and said.count("with each turn") == 2, said
    points = told(replace(BEFORE, standings=replace(BEFORE.standings, points=(3, 0))))
    assert points.startswith("Points: ") and "2 – 0" in points and "3 – 0" in points


def test_all_parts_of_a_setting_can_be_told() -> None:
    teams = replace(BEFORE, teams=TeamRules())
    assert all(
        each.show(one) is not None for one in (BEFORE, teams) for each in list_settings(LeagueSettings)
    )
    assert told(teams) and PRESETS


def test_an_older_entry_names_what_it_did_not_keep() -> None:
    details = {"changed": {"rounds": [1, 2], "length": [1, 2]}}
    assert describe_change("edit", details, {}) == "Rounds: 1, now 2; Days of a season at most"
