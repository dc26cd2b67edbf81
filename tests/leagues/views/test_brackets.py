"""The pages of knock-outs, and of groups before them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.clocks import DAY
from leagues import seasons
from leagues.models import Season
from leagues.settings import CupRules, Schedule
from leagues.standings import Rules
from tests.html import Page
from tests.leagues.double_helpers import begin_double, lose_rounds
from tests.leagues.knock_out_helpers import begin_cup, get_bracket, play_round
from tests.leagues.season_helpers import BEGINS, begin_season, play_out_season
from tests.leagues.views.bracket_helpers import read_ties

pytestmark = pytest.mark.django_db

URL = "/leagues/cup-of-foix/1/"


def test_shows_all_rounds_from_the_first_on(client: Client) -> None:
    season = begin_cup(6)
    page = Page(client.get(f"{URL}1/"))
    assert page.text("h1") == "Knock-out"
    assert page.texts(".round h2") == ["Quarter-finals", "Semi-finals", "Final"]
    assert read_ties(page, 1) == [
        ["1 Player00"],
        ["4 Player03", "5 Player04"],
        ["2 Player01"],
        ["3 Player02", "6 Player05"],
    ]
    assert page.texts(".round .bye .state") == ["sits out this round"] * 2
    assert read_ties(page, 2) == [["1 Player00", "not known yet"], ["2 Player01", "not known yet"]]
    assert read_ties(page, 3) == [["not known yet", "not known yet"]]
    assert not page.has(".medals") and not page.has(".slot.lost")
    play_round(season)
    page = Page(client.get(f"{URL}1/"))
    assert read_ties(page, 1)[1] == ["4 Player03 moves on 1", "5 Player04 0"]
    assert [one[:1] for one in page.texts(".slot.lost")] == ["5", "6"]
    assert read_ties(page, 2)[0] == ["1 Player00", "4 Player03"]
    assert page.texts(".standings .why") == ["still in"] * 4 + [""] * 2
    assert page.texts(".round time") != []


def test_names_the_winner_and_who_was_third(client: Client) -> None:
    play_out_season(begin_cup(4, cup=CupRules(third_place=True)), BEGINS + DAY)
    page = Page(client.get(f"{URL}1/"))
    assert page.facts(".medals") == {
        "Winner": "Player00",
        "Finalist": "Player01",
        "Third place": "Player02",
    }
    assert [" ".join(slot.get_text(" ").split()) for slot in page.all(".third-place .slot")] == [
        "3 Player02 moves on 1",
        "4 Player03 0",
    ]
    assert page.rows(".standings tbody tr") == [
        ["1", "Player00", "Winner"],
        ["2", "Player01", "Finalist"],
        ["3", "Player02", "Third place"],
        ["4", "Player03", ""],
    ]
    assert not page.has(".standings .points")


def test_groups_lead_to_it(client: Client) -> None:
    season = begin_season(8, schedule=Schedule.GROUPS, rules=Rules.usual(2), division_size=4)
    assert Page(client.get(URL)).texts(".standings caption") == ["Group 1", "Group 2"]
    play_round(season)
    page = Page(client.get(URL))
    assert page.texts(".standings caption") == ["Knock-out", "Group 1", "Group 2"]
    assert page.link("Knock-out") == f"{URL}{get_bracket(season).level}/"
    assert Page(client.get(f"{URL}3/")).texts(".round h2") == ["Semi-finals", "Final"]
    assert Page(client.get(f"{URL}1/")).text("h1") == "Group 1"


class TestDoubleElimination:
    def test_shows_two_brackets_and_the_final(self, client: Client) -> None:
        season = begin_double(6)
        page = Page(client.get(f"{URL}1/"))
        assert page.text("h1") == "Double elimination"
        assert page.texts(".round h2") == [
            *("Winners' bracket, round 1", "Winners' bracket, round 2", "Winners' final"),
            *(f"Losers' bracket, round {n}" for n in (1, 2, 3)),
            *("Losers' final", "Final", "Deciding match"),
        ]
        final, decider = page.all('.bracket-box[aria-label="Final"] .round-head')
        assert "only if it's needed" in decider.get_text() and "needed" not in final.get_text()
        assert read_ties(page, 2, "Losers' bracket") == [["not known yet", "not known yet"]] * 2
        play_round(season)
        page = Page(client.get(f"{URL}1/"))
        assert read_ties(page, 1, "Losers' bracket") == [["5 Player04"], ["6 Player05"]]
        lose_rounds(season, 6)
        page = Page(client.get(f"{URL}1/"))
        assert read_ties(page, 1, "Final") == [["1 Player00 moves on 1", "2 Player01 0"]]
        assert page.texts(".round h2")[-1] == "Final", "the deciding match is not needed"
        assert page.facts(".medals") == {
            "Winner": "Player00",
            "Finalist": "Player01",
            "Third place": "Player02",
        }

    def test_a_place_to_which_nobody_comes_is_empty(self, client: Client) -> None:
        begin_double(5)
        page = Page(client.get(f"{URL}1/"))
        (empty,) = page.all(".ties > .empty")
        assert empty.get_text().strip() == ""


def test_leads_to_the_games(client: Client) -> None:
    season = begin_cup(2, best_of=3)
    play_round(season)
    page = Page(client.get(f"{URL}1/"))
    games = [fixture.game for fixture in get_bracket(season).matches.get().fixtures.all()]
    assert page.links(".match-games a") == [f"/g/{game.code}/" for game in games if game]
    assert page.text(".round-head p").startswith("best of 3")
    assert page.text(".tie summary") == "2 games · being played"


@pytest.mark.parametrize("begin", [begin_cup, begin_double])
@pytest.mark.parametrize("players", [4, 12])
def test_costs_the_same_however_many_play(
    client: Client, django_assert_max_num_queries: Any, begin: Callable[..., Season], players: int
) -> None:
    season = begin(players, cup=CupRules(third_place=begin is begin_cup))
    play_round(season)
    player = season.entries.order_by("pk")[0].player
    seasons.withdraw(season_id=season.pk, player=player, now=BEGINS + 2 * DAY)
    client.force_login(player)
    for url in (URL, f"{URL}1/", "/leagues/cup-of-foix/"):
        with django_assert_max_num_queries(12):
            assert client.get(url).status_code == 200
