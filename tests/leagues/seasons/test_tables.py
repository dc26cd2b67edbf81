"""Tests of stored tables while a season runs (STAND-5)."""

from __future__ import annotations

import pytest

from games.clocks import DAY
from leagues.models import Division, Entry, Season
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.leagues.organising_helpers import get_fixture_between, settle_fixture
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    get_numbered_player,
    list_names,
    resign_all_games,
)

pytestmark = pytest.mark.django_db
LATER = BEGINS + DAY


def win(winner: int, loser: int) -> None:
    players = get_numbered_player(winner), get_numbered_player(loser)
    settle_fixture(get_fixture_between(*players), {players[0]: 1, players[1]: 2}, now=LATER)


@pytest.mark.parametrize("schedule", [Schedule.ROUND_ROBIN, Schedule.GROUPS])
def test_whoever_has_lost_fewer_points_is_first_until_a_round_robin_is_over(schedule: Schedule) -> None:
    begin_season(4, division_size=4, schedule=schedule, rules=Rules.usual(2))
    win(3, 0)
    win(2, 0)
    win(1, 2)
    division = Division.objects.get(level=1)
    assert set(list_names(division)[:2]) == {"Player01", "Player03"}
    assert list_names(division)[2:] == ["Player02", "Player00"]
    last = Entry.objects.get(player=get_numbered_player(2))
    ahead = Entry.objects.get(division=division, row=last.row - 1)  # type: ignore[operator]
    assert ahead.explained is not None
    assert (ahead.explained["by"], ahead.explained["own"], ahead.explained["other"]) == (
        "points_lost",
        "0",
        "2",
    )
    resign_all_games(LATER, choose_later_name)
    advance_seasons(LATER)
    told = {row.explained["by"] for row in division.entries.all() if row.explained}
    assert "points_lost" not in told


def test_swiss_tables_are_ordered_as_ever() -> None:
    begin_season(4, division_size=4, schedule=Schedule.SWISS, rounds=2)
    (fixture, _other) = [match.fixtures.get() for match in Season.objects.get().divisions.get().matches.all()]
    one, other = (seat.player for seat in fixture.match.seats.all())
    settle_fixture(fixture, {one: 1, other: 2}, now=LATER)
    assert not [row for row in Entry.objects.all() if row.explained and row.explained["by"] == "points_lost"]
