"""Tests of the comparison of players with the same tiles."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from leagues.standings import compare

SCORES = st.integers(min_value=0, max_value=200)


def test_without_tables_there_is_nothing() -> None:
    assert compare({}) == ()


def test_one_table_is_the_mean_of_itself() -> None:
    first, second = compare({7: [("Ann", 80), ("Bob", 61)]})
    assert first.results == ((7, "Ann", 80, 19, 0),) and second.results == ((7, "Bob", 61, -19, 0),)


def test_at_larger_tables_the_lead_is_over_the_mean_of_the_others() -> None:
    first, _second, third = compare({1: [("Ann", 60), ("Bob", 50), ("Cid", 40)]})
    assert (first.results[0].lead, third.results[0].lead) == (15, -15)


def test_who_did_better_stands_first_and_then_who_led_by_more() -> None:
    first, _second = compare(
        {1: [("Ann", 70), ("Bob", 69)], 2: [("Cid", 70), ("Dan", 50)], 3: [("Eva", 71), ("Flo", 99)]}
    )
    assert [one.player for one in first.results] == ["Eva", "Cid", "Ann"]


@given(st.lists(st.tuples(SCORES, SCORES, SCORES), min_size=1, max_size=8))
def test_what_is_won_against_the_field_others_have_lost(scores: list[tuple[int, int, int]]) -> None:
    tables = {at: [((at, seat), score) for seat, score in enumerate(one)] for at, one in enumerate(scores)}
    for field in compare(tables):
        assert sum(one.against_field for one in field.results) == 0
        assert sum(one.lead for one in field.results) == field.lead * len(scores)
        assert [one.against_field for one in field.results] == sorted(
            (one.against_field for one in field.results), reverse=True
        )
    assert sum((field.lead for field in compare(tables)), Fraction()) == 0
