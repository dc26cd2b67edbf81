"""Tests of the table of a Swiss division, with rounds as columns."""

from typing import Any

import pytest
from django.test import Client

from games.clocks import DAY
from leagues.settings import Schedule
from tests.html import Page
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    resign_all_games,
)

pytestmark = pytest.mark.django_db
URL = "/leagues/cup-of-foix/1/1/"


def test_rounds_are_columns_with_opponent_seat_and_result(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    begin_season(5, schedule=Schedule.SWISS, rounds=3, division_size=5)
    resign_all_games(BEGINS + DAY, choose_later_name)
    advance_seasons(BEGINS + DAY)
    with django_assert_max_num_queries(12):
        page = Page(client.get(URL))
    assert not page.has("table.cross:not(.swiss)")
    assert page.texts(".swiss thead th")[2:] == ["Round 1", "Round 2", "Points"]
    numbers = {row[1]: row[0] for row in page.rows(".swiss tbody tr")}
    shorts: dict[tuple[str, int], str] = {}
    for row in page.all(".swiss tbody tr"):
        name = row.select_one("th").get_text(strip=True)
        for round, cell in enumerate(row.select("[aria-hidden]"), start=1):
            shorts[name, round] = cell.get_text()
    assert sorted(shorts.values()).count("+") == 2  # a bye in each round
    first = {name: short for (name, round), short in shorts.items() if round == 1 and short != "+"}
    for name, short in first.items():
        number, sign, result = short.split()
        other = next(other for other, row in numbers.items() if row == number)
        assert first[other].split()[:2] == [numbers[name], {"I": "II", "II": "I"}[sign]]
        assert result == ("1*" if name < other else "0*")
    later = [short.split() for (_, round), short in shorts.items() if round == 2 and short != "+"]
    assert all(len(parts) == 2 for parts in later)  # not played yet


def test_it_is_said_in_words_too(client: Client) -> None:
    begin_season(2, schedule=Schedule.SWISS, rounds=1, division_size=2)
    said = Page(client.get(URL)).texts(".swiss td .hidden-text")
    assert sorted(said) == [
        "first seat, against Player01; not played yet",
        "second seat, against Player00; not played yet",
    ]
