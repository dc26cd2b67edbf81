"""What is still possible in a division is stored with its table, and told beside it."""

from typing import Any

import pytest
from django.test import Client

from games import play
from games.models import Game, Seat
from leagues import seasons
from leagues.models import Division, Entry, Match
from leagues.seasons.outlooks import goals
from leagues.settings import Schedule
from leagues.standings import Rules
from leagues.words import outlook as words
from tests.html import Page
from tests.leagues.test_seasons import BEGINS, DAY, advance, begun, later_name, play_out, resign_all

URL = "/leagues/cup-of-foix/1/"


def needs(needs: int, left: int) -> dict[str, Any]:
    return {"chance": "needs", "needs": needs, "left": left}


def chance(name: str) -> dict[str, Any]:
    return {"chance": name, "needs": None, "left": 2}


def test_goals_follow_from_what_moves_where() -> None:
    rules = Rules.usual(2, up=1, down=2)
    assert list(goals(rules, 8, level=1, lowest=False)) == [("first", 1), ("stay", 6)]
    assert list(goals(rules, 8, level=2, lowest=False)) == [("up", 1), ("stay", 6)]
    assert list(goals(rules, 8, level=3, lowest=True)) == [("up", 1)]
    assert list(goals(Rules.usual(2), 8, level=3, lowest=False)) == [("first", 1)]
    assert list(goals(rules, 2, level=2, lowest=False)) == [("up", 1), ("stay", 1)]


@pytest.mark.parametrize(
    ("kept", "short"),
    [
        ({"up": chance("safe"), "stay": chance("safe")}, "moves up for certain"),
        ({"up": needs(3, 4), "stay": chance("safe")}, "moves up with 3 of 4 wins"),
        ({"up": chance("open"), "stay": chance("safe")}, "stays for certain"),
        ({"up": chance("out"), "stay": needs(1, 1)}, "stays with one more win"),
        ({"up": chance("out"), "stay": chance("out")}, "moves down for certain"),
        ({"up": chance("out"), "stay": chance("open")}, "open"),
        ({"first": chance("out")}, "not first any more"),
        ({"up": chance("out")}, "not up any more"),
        ({"first": needs(2, 3)}, "first with 2 of 3 wins"),
    ],
)
def test_a_row_tells_what_matters_most(kept: dict[str, Any], short: str) -> None:
    assert words.in_short(kept) == short


def test_sentences_tell_all_of_it() -> None:
    kept = {"up": needs(3, 4), "stay": chance("open")}
    assert words.sentences(kept, up=2) == [
        "The first 2 places, which move up: certain with any 3 of the 4 wins that are still possible; "
        "fewer may do.",
        "Staying in this division: possible, but not with wins alone.",
    ]


def chances(division: Division) -> dict[str, dict[str, str]]:
    """By name, what is stored."""
    entries = division.entries.select_related("player")
    return {
        str(entry.player): {goal: one["chance"] for goal, one in (entry.outlook or {}).items()}
        for entry in entries
    }


def end_game(pair: tuple[str, str]) -> None:
    """Let the second of *pair* lose their game by leaving it."""
    theirs = Seat.objects.filter(player__username=pair[1]).values("game")
    game = Game.objects.get(seats__player__username=pair[0], pk__in=theirs)
    play.resign(game_id=game.pk, seat=game.seats.get(player__username=pair[1]).index, now=BEGINS + DAY)
    advance(BEGINS + DAY)


@pytest.mark.django_db
def test_what_is_left_of_a_round_robin_is_counted() -> None:
    season = begun(4, division_size=4)
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
def test_rounds_to_come_of_the_swiss_system_may_turn_it_over() -> None:
    season = begun(6, schedule=Schedule.SWISS, rounds=3, division_size=6)
    resign_all(BEGINS + DAY, later_name)
    advance(BEGINS + DAY)
    (division,) = season.divisions.all()
    assert division.drawn == 2
    assert {one["first"] for one in chances(division).values()} <= {"needs", "open"}
    resign_all(BEGINS + 2 * DAY, later_name)
    advance(BEGINS + 2 * DAY)
    assert "out" in {one["first"] for one in chances(division).values()}


@pytest.mark.django_db
def test_who_leaves_after_the_season_takes_no_place() -> None:
    season = begun(8, division_size=4)
    resign_all(BEGINS + DAY, later_name)
    for game in Match.objects.filter(division__level=2).values_list("fixtures__game", flat=True):
        seasons.follow(game, BEGINS + DAY)  # the season goes on above
    below = season.divisions.get(level=2)
    first, second = [entry.player for entry in below.entries.order_by("row")[:2]]
    assert chances(below)[str(first)]["up"] == "safe"
    assert chances(below)[str(second)]["up"] == "out"
    seasons.stay(season_id=season.pk, player=first, stays=False)
    assert chances(below)[str(first)] == {}
    assert chances(below)[str(second)]["up"] == "safe"


@pytest.mark.django_db
def test_the_table_tells_it_while_the_season_runs(client: Client) -> None:
    season = begun(4, division_size=4)
    assert not Page(client.get(URL)).has(".hope")
    for loser in ("Player01", "Player02", "Player03"):
        end_game(("Player00", loser))
    page = Page(client.get(URL))
    assert page.texts(".hope summary") == ["first for certain", *["not first any more"] * 3]
    assert page.texts(".hope p")[0] == "First place: certain, whatever else happens."
    assert Page(client.get(f"{URL}1/")).texts(".hope summary")[0] == "first for certain"
    play_out(season, BEGINS + 2 * DAY)
    assert not Page(client.get(URL)).has(".hope")
