"""Tests of outlooks, stored with a division's table and shown beside it."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import play
from games.clocks import DAY
from games.models import Game, Seat
from leagues import seasons
from leagues.models import Division, Entry, Match
from leagues.seasons.outlooks import compute_outlooks, list_goals
from leagues.seasons.tables import load_results
from leagues.settings import Schedule
from leagues.standings import Rules
from leagues.words import outlook as words
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.organising_helpers import replace_player
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    get_numbered_player,
    play_out_season,
    resign_all_games,
)
from tests.leagues.team_season_helpers import FIRST_ROUND, begin_team_season, get_player

URL = "/leagues/cup-of-foix/1/"


def needs(needs: int, left: int) -> dict[str, Any]:
    return {"chance": "needs", "needs": needs, "left": left}


def chance(name: str) -> dict[str, Any]:
    return {"chance": name, "needs": None, "left": 2}


def test_goals_follow_from_what_moves_where() -> None:
    rules = Rules.usual(2, up=1, down=2)
    assert list(list_goals(rules, 8, level=1, lowest=False)) == [("first", 1), ("stay", 6)]
    assert list(list_goals(rules, 8, level=2, lowest=False)) == [("up", 1), ("stay", 6)]
    assert list(list_goals(rules, 8, level=3, lowest=True)) == [("up", 1)]
    assert list(list_goals(Rules.usual(2), 8, level=3, lowest=False)) == [("first", 1)]
    assert list(list_goals(rules, 2, level=2, lowest=False)) == [("up", 1), ("stay", 1)]


@pytest.mark.parametrize(
    ("kept", "short"),
    [
        ({"up": chance("safe"), "stay": chance("safe")}, "moves up for certain"),
        ({"up": needs(3, 4), "stay": chance("safe")}, "moves up with 3 of 4 wins"),
        ({"up": chance("open"), "stay": chance("safe")}, "stays for certain"),
        ({"up": chance("out"), "stay": needs(1, 1)}, "stays with one more win"),
        ({"up": chance("out"), "stay": chance("out")}, "moves down for certain"),
        ({"up": chance("out"), "stay": chance("open")}, "open"),
        ({"first": chance("out")}, "can't finish first any more"),
        ({"up": chance("out")}, "can't move up any more"),
        ({"first": needs(2, 3)}, "first with 2 of 3 wins"),
    ],
)
def test_a_row_tells_what_matters_most(kept: dict[str, Any], short: str) -> None:
    assert words.summarise_outlook(kept) == short


def test_sentences_tell_all_of_it() -> None:
    kept = {"up": needs(3, 4), "stay": chance("open")}
    assert words.describe_outlook(kept, up=2) == [
        "The first 2 places, which move up: certain with any 3 of the 4 wins that are still possible; "
        "fewer may do.",
        "Staying in this division: possible, but wins alone may not be enough.",
    ]


def chances(division: Division) -> dict[str, dict[str, str]]:
    """The stored chances, by name."""
    entries = division.entries.select_related("player")
    return {
        str(entry.player): {goal: one["chance"] for goal, one in (entry.outlook or {}).items()}
        for entry in entries
    }


def end_game(pair: tuple[str, str]) -> None:
    """Let the second of *pair* lose their game by resigning."""
    theirs = Seat.objects.filter(player__username=pair[1]).values("game")
    game = Game.objects.get(seats__player__username=pair[0], pk__in=theirs)
    play.resign(game_id=game.pk, seat=game.seats.get(player__username=pair[1]).index, now=BEGINS + DAY)
    advance_seasons(BEGINS + DAY)


@pytest.mark.django_db
def test_what_is_left_of_a_round_robin_is_counted() -> None:
    season = begin_season(4, division_size=4)
    (division,) = season.divisions.all()
    assert chances(division)["Player00"] == {}  # nothing before the first result
    for pair in (("Player00", "Player01"), ("Player00", "Player02")):
        end_game(pair)
    entry = Entry.objects.get(player__username="Player00")
    assert entry.outlook == {"first": {"chance": "needs", "needs": 1, "left": 1}}
    end_game(("Player00", "Player03"))
    assert chances(division) == {
        "Player00": {"first": "safe"},
        "Player01": {"first": "out"},
        "Player02": {"first": "out"},
        "Player03": {"first": "out"},
    }


@pytest.mark.django_db
def test_nothing_is_certain_that_a_substitute_may_still_turn_over() -> None:
    season = begin_season(4, division_size=4)
    (division,) = season.divisions.all()
    gone = get_numbered_player(3)
    seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + DAY)
    advance_seasons(BEGINS + DAY)
    end_game(("Player00", "Player01"))
    end_game(("Player00", "Player02"))
    assert chances(division)["Player00"] == {"first": "needs"}, "a forfeit may be played after all"
    replace_player(season, gone, make_player("Zoe"), now=BEGINS + 2 * DAY)
    advance_seasons(BEGINS + 2 * DAY)
    assert chances(division)["Player00"] == {"first": "needs"}
    for other in ("Player00", "Player01", "Player02"):
        end_game(("Zoe", other))
    assert chances(division)["Zoe"] == {"first": "safe"}


@pytest.mark.django_db
def test_two_who_have_left_cost_no_more_queries_than_one() -> None:
    season = begin_season(6, division_size=6)
    (division,) = season.divisions.all()
    asked = []
    for number in (5, 4):
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(number), now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        entries = list(division.entries.select_related("player"))
        results = load_results(division)
        with CaptureQueriesContext(connection) as queries:
            compute_outlooks(division, entries, results)
        asked.append(len(queries))
    assert asked[0] == asked[1]


@pytest.mark.django_db
def test_in_teams_nobody_plays_on_for_who_has_left() -> None:
    season = begin_team_season("AB")
    advance_seasons(FIRST_ROUND)
    seasons.withdraw(season_id=season.pk, player=get_player("A1"), now=FIRST_ROUND + DAY)
    advance_seasons(FIRST_ROUND + 9 * DAY)
    (division,) = season.divisions.all()
    match = division.matches.get(seats__player=get_player("A1"))
    assert match.decided is not None
    (other,) = (seat.player for seat in match.seats.exclude(player=get_player("A1")))
    outlook = Entry.objects.get(player=other).outlook
    assert outlook is not None and outlook["first"]["left"] == 0


@pytest.mark.django_db
def test_rounds_to_come_of_the_swiss_system_may_turn_it_over() -> None:
    season = begin_season(6, schedule=Schedule.SWISS, rounds=3, division_size=6)
    resign_all_games(BEGINS + DAY, choose_later_name)
    advance_seasons(BEGINS + DAY)
    (division,) = season.divisions.all()
    assert division.drawn == 2
    assert {one["first"] for one in chances(division).values()} <= {"needs", "open"}
    resign_all_games(BEGINS + 2 * DAY, choose_later_name)
    advance_seasons(BEGINS + 2 * DAY)
    assert "out" in {one["first"] for one in chances(division).values()}


@pytest.mark.django_db
def test_who_leaves_after_the_season_takes_no_place() -> None:
    season = begin_season(8, division_size=4)
    resign_all_games(BEGINS + DAY, choose_later_name)
    for game in Match.objects.filter(division__level=2).values_list("fixtures__game", flat=True):
        seasons.record_result(game, BEGINS + DAY)  # the season goes on above
    below = season.divisions.get(level=2)
    first, second = [entry.player for entry in below.entries.order_by("row")[:2]]
    assert chances(below)[str(first)]["up"] == "safe"
    assert chances(below)[str(second)]["up"] == "out"
    seasons.stay(season_id=season.pk, player=first, stays=False)
    assert chances(below)[str(first)] == {}
    assert chances(below)[str(second)]["up"] == "safe"


@pytest.mark.django_db
def test_the_table_tells_it_while_the_season_runs(client: Client) -> None:
    season = begin_season(4, division_size=4)
    assert not Page(client.get(URL)).has(".hope")
    for loser in ("Player01", "Player02", "Player03"):
        end_game(("Player00", loser))
    page = Page(client.get(URL))
    assert page.texts(".hope summary") == ["first for certain", *["can't finish first any more"] * 3]
    assert page.texts(".hope p")[0] == "First place: certain, whatever else happens."
    assert Page(client.get(f"{URL}1/")).texts(".hope summary")[0] == "first for certain"
    play_out_season(season, BEGINS + 2 * DAY)
    assert not Page(client.get(URL)).has(".hope")
