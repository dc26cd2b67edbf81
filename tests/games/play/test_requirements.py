"""Tests of a table's requirements for free seats."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games.models import Game
from games.play import requirements
from games.play.requirements import SeatCandidate, load_candidate
from ratings.strengths import ShownNumbers
from tests.games.factories import keeps_time, make_player, make_table

KNOWN = ShownNumbers(duel=1500, table=1600)


@pytest.fixture(autouse=True)
def source(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The keys of players whose ratings were loaded; everybody has the same."""
    asked: list[int] = []

    def ratings(player: int) -> ShownNumbers:
        asked.append(player)
        return KNOWN

    monkeypatch.setattr(requirements, "load_numbers", ratings)
    return asked


def table(**asked: Any) -> Game:
    return Game(places=2, **asked)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({}, None),
        ({"min_rating": 1500}, None),
        ({"min_rating": 1501}, "rating_outside"),
        ({"max_rating": 1500}, None),
        ({"max_rating": 1499}, "rating_outside"),
        ({"max_rating": 0}, "rating_outside"),
        ({"min_rating": 1400, "max_rating": 1600}, None),
        ({"min_reliability": 80}, None),
        ({"min_reliability": 81}, "reliability_low"),
        ({"min_reliability": 81, "min_rating": 1501}, "reliability_low"),
    ],
)
def test_who_may_sit_down(asked: dict[str, Any], code: str | None) -> None:
    refused = SeatCandidate(80, KNOWN).refused_at(table(**asked))
    assert (refused and refused.code) == code


def test_larger_tables_ask_for_the_rating_of_larger_tables() -> None:
    refused = SeatCandidate(None, KNOWN).refused_at(Game(places=3, max_rating=1500))
    assert refused is not None
    assert refused.params == {"least": None, "most": 1500, "yours": 1600}
    assert SeatCandidate(None, KNOWN).refused_at(Game(places=2, max_rating=1500)) is None


def test_of_whom_nothing_is_known_may_sit_anywhere() -> None:
    assert SeatCandidate(None, None).refused_at(table(min_reliability=100, min_rating=4000)) is None


@pytest.mark.django_db
class TestAsked:
    def test_nothing_is_looked_up_for_tables_that_ask_for_nothing(
        self, source: list[int], django_assert_num_queries: Any
    ) -> None:
        anna = make_player("Anna")
        with django_assert_num_queries(0):
            assert load_candidate(anna, table(), table()) == SeatCandidate(None, None)
        assert source == []

    def test_of_many_tables_each_thing_once(self, source: list[int], django_assert_num_queries: Any) -> None:
        anna = make_player("Anna")
        keeps_time(anna, *[False] * 12, True, True)
        many = [table(), table(min_rating=1), table(max_rating=9), table(min_reliability=1)]
        with django_assert_num_queries(1):
            assert load_candidate(anna, *many) == SeatCandidate(88, KNOWN)
        assert source == [anna.pk]

    def test_the_rows_keep_no_range_upside_down(self) -> None:
        game = make_table()
        for least, most in ((None, 5), (5, None), (5, 5)):
            Game.objects.filter(pk=game.pk).update(min_rating=least, max_rating=most)
        with pytest.raises(IntegrityError), transaction.atomic():
            Game.objects.filter(pk=game.pk).update(min_rating=6, max_rating=5)
