"""Tests of descriptions of a league's settings."""

import pytest

from games.rules import RuleSet
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules


@pytest.mark.parametrize(
    ("schedule", "end"),
    [
        (Schedule.ROUND_ROBIN, "season"),
        (Schedule.SWISS, "round"),
        (Schedule.GROUPS, "round"),
        (Schedule.KNOCK_OUT, "round"),
        (Schedule.LADDER, "challenge"),
    ],
)
def test_the_hard_end_of_a_game_is_that_of_its_match(schedule: Schedule, end: str) -> None:
    settings = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2), schedule=schedule)
    assert f"No turn can run past the end of the {end}." in settings.describe("clock")
