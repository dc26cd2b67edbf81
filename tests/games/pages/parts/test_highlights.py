"""Tests of highlighted scorings on the board: segments, points, and seats."""

from types import SimpleNamespace
from typing import Any

import pytest

from games import rules, words
from games.pages.parts.highlights import Scoring, collect_earned, group_scorings, highlight_feature
from games.rules import RuleSet, Scored, Term
from games.rules.notation import read

SEATS: Any = [SimpleNamespace(look=4), SimpleNamespace(look=2)]


def scored(seat: int, points: int, on: str = "city", side: str | None = "N", **terms: int) -> Scored:
    return Scored(
        seat, on, points, tuple(Term(name, n, points) for name, n in terms.items()), 0, 0, side, True
    )


@pytest.fixture
def game() -> rules.Game:
    """A game in which a knight of seat 0 has completed the start tile's city."""
    game = rules.Game.new(RuleSet.of(seats=2, options={"first_player": "creator"}))
    for action in (rules.Draw("base.E"), read("base.E@0,-1 r180 city S")):
        game = game.play(action)
    return game


def test_what_is_paid_for_one_feature_stands_together() -> None:
    both = [scored(0, 4), scored(1, 4), scored(1, 3, "road", "E")]
    assert [(scoring.on, scoring.points) for scoring in group_scorings(both)] == [
        ("city", {0: 4, 1: 4}),
        ("road", {1: 3}),
    ]


def test_what_is_no_feature_has_no_place() -> None:
    scorings = group_scorings(
        [
            scored(0, 10, "goods", None, wine=3),
            scored(1, 10, "goods", None, wine=3),
            scored(0, 10, "goods", None, cloth=1),
        ]
    )
    assert [scoring.points for scoring in scorings] == [{0: 10, 1: 10}, {0: 10}]
    assert all(scoring.spot is None for scoring in scorings)


def test_the_whole_feature_is_lit_in_its_owner_s_colour(game: rules.Game) -> None:
    (scoring,) = group_scorings(event for event in game.events if isinstance(event, Scored))
    gone = [event for event in game.events if isinstance(event, rules.Returned)]
    shown = collect_earned(game.state.board, [scoring], gone, SEATS)
    assert {(light.x, light.y, light.on, light.side) for light in shown.lights} == {
        (0, 0, "city", "N"),
        (0, -1, "city", "S"),
    }
    assert {light.seat for light in shown.lights} == {4}


def test_points_stand_over_the_meeple_that_earned_them(game: rules.Game) -> None:
    scorings = group_scorings(event for event in game.events if isinstance(event, Scored))
    gone = [event for event in game.events if isinstance(event, rules.Returned)]
    (gain,) = collect_earned(game.state.board, scorings, gone, SEATS).gains
    assert (gain.x, gain.y, gain.on, gain.side, gain.text, gain.seat) == (0, -1, "city", "S", "+4", 4)
    (gain,) = collect_earned(game.state.board, scorings, [], SEATS).gains
    assert (gain.x, gain.y) == (0, -1), "without a meeple at the spot that names the feature"


def test_two_owners_share_the_tiles_and_have_points_each(game: rules.Game) -> None:
    tie = Scoring("city", rules.Spot(0, -1, "city", "S"), (scored(0, 4), scored(1, 4)))
    shown = collect_earned(game.state.board, [tie], [], SEATS)
    assert {light.seat for light in shown.lights} == {4, 2}
    assert [(gain.seat, gain.row) for gain in shown.gains] == [(4, 0), (2, 1)]


def test_without_owners_a_feature_is_nobody_s(game: rules.Game) -> None:
    city = game.state.feature_at(0, 0, "city", "N")
    assert {light.seat for light in highlight_feature(game.state.board, city, ())} == {None}


@pytest.mark.parametrize(
    ("terms", "points", "said"),
    [
        ((Term("tiles", 6, 6), Term("shields", 2, 2)), 8, "6 tiles × 1 + 2 shields × 1 = 8"),
        ((Term("tiles", 2, 4),), 4, "2 tiles × 2 = 4"),
        ((Term("tiles", 5, 5), Term("cathedral", 1, -5)), 0, "5 tiles × 1 − 1 cathedral: 5 = 0"),
        ((Term("cities", 3, 9), Term("pig", 3, 3)), 12, "3 completed cities × 3 + own pig: 3 = 12"),
        ((Term("cities", 0, 0),), 0, "0 completed cities: 0 = 0"),
        ((), 0, "0"),
    ],
)
def test_a_sum_is_said_with_its_terms(terms: tuple[Term, ...], points: int, said: str) -> None:
    assert words.format_sum(Scored(0, "city", points, terms, 0, 0, "N", True)) == said
