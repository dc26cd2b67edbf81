"""Tests of the pages of leagues, and of what players do there."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Player
from games.clocks import DAY
from leagues import seasons
from leagues.models import Entry, Fixture, Match, Season
from leagues.standings import DUEL_TIE_BREAKS, Rules, Withdrawn
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.knock_out_helpers import begin_cup
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    play_out_season,
    register_players,
    resign_all_games,
)
from tests.leagues.views.league_page_helpers import LEAGUE_URL, make_open_season

pytestmark = pytest.mark.django_db


class TestList:
    def test_tells_of_none(self, client: Client) -> None:
        page = Page(client.get("/leagues/"))
        assert page.text("h1") == "Leagues"
        assert not page.has(".leagues")

    def test_has_those_first_where_one_can_register(self, client: Client) -> None:
        season = make_open_season()
        register_players(season, 3)
        page = Page(client.get("/leagues/"))
        assert page.texts("h2") == ["Open for registration"]
        assert page.links(".open .whole") == [LEAGUE_URL]
        assert page.text(".open .state") == "Open for registration, 6 d left. 3 players."
        assert page.text(".open .kind") == "Duels · about 3 days a move · Base game"

    def test_has_those_that_run_and_those_that_are_closed(self, client: Client) -> None:
        season = begin_season(4)
        assert Page(client.get("/leagues/")).texts(".running .whole") == ["Cup of Foix"]
        Season.objects.filter(pk=season.pk).update(phase="closed")
        assert Page(client.get("/leagues/")).texts(".closed .whole") == ["Cup of Foix"]

    def test_a_search_with_a_nul_is_a_search_without(self, client: Client) -> None:
        make_open_season()
        page = Page(client.get("/leagues/?q=Foix%00"))
        assert page.texts(".whole") == ["Cup of Foix"]
        assert [field["value"] for field in page.all("#q")] == ["Foix"]

    def test_is_found_from_every_page(self, client: Client) -> None:
        assert Page(client.get("/lobby/")).link("Leagues") == "/leagues/"


class TestLeague:
    def test_says_what_is_agreed(self, client: Client) -> None:
        make_open_season(rules=Rules.usual(2, best_of=3, up=1, down=2))
        agreed = Page(client.get(LEAGUE_URL)).facts("dl.agreed")
        assert agreed["Table"] == "Duels"
        assert agreed["Match"] == "Best of 3 games. Players take turns starting."
        assert agreed["Divisions"] == "Up to 8 players each. The first moves up. The last 2 move down."
        assert agreed["Format"] == "Everyone plays everyone in their division once."
        assert agreed["Time"].startswith(
            "About 3 days a move; being late once is fine. 3 days at first, 1 day more"
        )

    @pytest.mark.parametrize("rule", Withdrawn)
    def test_says_what_withdrawing_does_before_one_registers(self, client: Client, rule: Withdrawn) -> None:
        make_open_season(rules=Rules((2, 0), 1, DUEL_TIE_BREAKS, rule))
        client.force_login(make_player("Zoe"))
        told = Page(client.get(LEAGUE_URL)).text(".current .consequence")
        assert ("removed from the table" in told) == (rule == Withdrawn.STRIKE)

    def test_tells_strangers_to_sign_in(self, client: Client) -> None:
        make_open_season()
        page = Page(client.get(LEAGUE_URL))
        assert page.link("Sign in to take part") == "/account/login/?next=%2Fleagues%2Fcup-of-foix%2F"
        assert not page.has(".current form")

    def test_names_lead_to_players(self, client: Client) -> None:
        register_players(make_open_season(), 2)
        page = Page(client.get(LEAGUE_URL))
        assert page.links(".registered a") == ["/players/Player00/", "/players/Player01/"]
        assert page.links(".founder a") == ["/players/Founder/"]

    def test_has_a_log(self, client: Client) -> None:
        make_open_season()
        said = Page(client.get(LEAGUE_URL)).texts(".log .what")
        assert said == ["Automatically: opened registration (Season 1)", "Founder: founded the league"]
        assert Page(client.get(f"{LEAGUE_URL}log/")).texts(".log .what") == said

    def test_that_is_not_there(self, client: Client) -> None:
        for url in (LEAGUE_URL, f"{LEAGUE_URL}log/", f"{LEAGUE_URL}1/", f"{LEAGUE_URL}1/1/"):
            assert client.get(url).status_code == 404

    def test_costs_the_same_however_many_play(
        self, client: Client, django_assert_max_num_queries: Any
    ) -> None:
        season = make_open_season()
        register_players(season, 70)
        client.force_login(Player.objects.get(username="Player00"))
        with django_assert_max_num_queries(12):
            page = Page(client.get(LEAGUE_URL))
        assert len(page.all(".registered li")) == 60
        assert page.link("10 more") == f"{LEAGUE_URL}1/"
        with django_assert_max_num_queries(12):
            assert len(Page(client.get(f"{LEAGUE_URL}1/")).all(".registered li")) == 70


SURE = {"sure": "yes"}


class TestTakingPart:
    def test_register_and_withdraw(self, client: Client) -> None:
        make_open_season()
        client.force_login(make_player("Zoe"))
        sent = client.post(f"{LEAGUE_URL}1/register/", follow=True)
        page = Page(sent)
        assert sent.redirect_chain[-1][0] == LEAGUE_URL
        assert page.has(".message.success") and page.texts(".registered li") == ["Zoe"]
        assert not page.has("form.register")
        page = Page(client.post(f"{LEAGUE_URL}1/withdraw/", SURE, follow=True))
        assert page.has("form.register") and not page.has(".registered")

    def test_say_whether_to_play_the_next_season(self, client: Client) -> None:
        (zoe,) = register_players(make_open_season(), 1)
        client.force_login(zoe)
        for stays in (False, True):
            button = Page(client.get(LEAGUE_URL)).one("form.stay button")
            client.post(f"{LEAGUE_URL}1/stay/", {button["name"]: button["value"]})
            assert Entry.objects.get().stays == stays

    def test_what_is_refused_is_told(self, client: Client) -> None:
        begin_season(4)
        client.force_login(make_player("Zoe"))
        for act, told in (
            ("register", "Registration for this season is closed."),
            ("withdraw", "You are not registered for this season."),
            ("stay", "You are not registered for this season."),
        ):
            assert Page(client.post(f"{LEAGUE_URL}1/{act}/", SURE, follow=True)).texts(".message.error") == [
                told
            ]

    def test_strangers_sign_in_and_looking_changes_nothing(self, client: Client) -> None:
        make_open_season()
        assert client.post(f"{LEAGUE_URL}1/register/").status_code == 302
        client.force_login(make_player("Zoe"))
        assert client.get(f"{LEAGUE_URL}1/register/").status_code == 405
        assert not Entry.objects.exists()


class TestSeason:
    def test_shows_the_stored_tables_and_why(self, client: Client) -> None:
        play_out_season(begin_season(8, division_size=4), BEGINS + DAY, played=True)
        page = Page(client.get(f"{LEAGUE_URL}1/"))
        assert page.texts(".standings caption") == ["Division 1", "Division 2"]
        assert page.rows(".standings tbody tr")[:4] == [
            ["1", "Player00", "3", "3", "0", "0", "6", "Ahead of Player01 by points, 6 : 4."],
            ["2", "Player01", "3", "2", "0", "1", "4", "Ahead of Player02 by points, 4 : 2."],
            ["3", "Player02", "3", "1", "0", "2", "2", "Ahead of Player03 by points, 2 : 0."],
            ["4", "Player03 set to move down", "3", "0", "0", "3", "0", ""],
        ]
        assert page.text(".badge.up") == "moves up"

    def test_reads_what_is_stored(self, client: Client) -> None:
        season = begin_season(4, division_size=4)
        advance_seasons(BEGINS)
        first, second = season.entries.order_by("pk")[:2]
        explained = {"ahead_of": second.player_id, "by": "head_to_head", "own": "3", "other": "1"}
        season.entries.filter(pk=first.pk).update(row=1, rank=1, points="7/2", explained=explained)
        row = Page(client.get(f"{LEAGUE_URL}1/")).rows(".standings tbody tr")[0]
        assert row[:2] == ["1", str(first.player)]
        assert row[6:] == ["3½", f"Ahead of {second.player} by head to head, 3 : 1."]

    def test_says_who_withdrew(self, client: Client) -> None:
        season = begin_season(4, division_size=4)
        gone = Player.objects.get(username="Player02")
        seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + DAY)
        assert (
            Page(client.get(f"{LEAGUE_URL}1/")).text(".standings th:has(.withdrawn)") == "Player02 withdrawn"
        )
        assert Page(client.get(f"{LEAGUE_URL}1/1/")).text("p.withdrawn") == "Withdrawn: Player02"


class TestWinner:
    @pytest.mark.parametrize("number", [2, 4])
    def test_of_a_tournament_that_is_over_comes_first(self, client: Client, number: int) -> None:
        season = begin_cup(number, again=False)
        assert not Page(client.get(f"{LEAGUE_URL}1/")).has(".champion")
        play_out_season(season, BEGINS + DAY)
        for url in (f"{LEAGUE_URL}1/", LEAGUE_URL):
            page = Page(client.get(url))
            assert page.text(".champion") == "Winner: Player00"
            text = page.text("main")
            assert text.index("Winner:") < text.index("over" if url == LEAGUE_URL else "Closed")


class TestDivision:
    def test_has_a_cross_table(self, client: Client) -> None:
        play_out_season(begin_season(3, division_size=4), BEGINS + DAY, played=True)
        page = Page(client.get(f"{LEAGUE_URL}1/1/"))
        assert page.rows(".cross tbody tr") == [
            ["1", "Player00", "×", "1:0", "1:0", "2", "0", "0"],
            ["2", "Player01", "0:1", "×", "1:0", "1", "0", "1"],
            ["3", "Player02", "0:1", "0:1", "×", "0", "0", "2"],
        ]

    def test_counts_a_game_in_which_two_were_level_as_half_for_each(self, client: Client) -> None:
        season = begin_season(2, division_size=4)
        play_out_season(season, BEGINS + DAY, played=True)
        level = [
            {"player": one.player_id, "rank": 1, "score": 9, "forfeit": False} for one in season.entries.all()
        ]
        Fixture.objects.update(seats=level)
        page = Page(client.get(f"{LEAGUE_URL}1/1/"))
        assert [row[2:4] for row in page.rows(".cross tbody tr")] == [["×", "½:½"], ["½:½", "×"]]

    def test_shows_a_round_at_a_time_with_its_games(self, client: Client) -> None:
        begin_season(4, division_size=4)
        page = Page(client.get(f"{LEAGUE_URL}1/1/?round=2"))
        assert page.text(".rounds [aria-current]") == "2"
        match = Match.objects.filter(round=2).first()
        assert match is not None
        game = match.fixtures.get().game
        assert game is not None
        assert page.links(".match-games a")[0] == f"/g/{game.code}/"
        assert page.texts(".matches > li > .state") == ["being played"] * 2
        assert page.texts(".match-games li") == ["Game: in progress"] * 2
        assert not page.has(".cross")

    def test_tells_forfeits(self, client: Client) -> None:
        begin_season(3, division_size=4)
        resign_all_games(BEGINS + DAY, choose_later_name)
        advance_seasons(BEGINS + DAY)
        results = Page(client.get(f"{LEAGUE_URL}1/1/?round=1")).texts(".match-games li")
        assert all(one.startswith("Game: forfeit of Player0") for one in results) and results

    def test_takes_any_round_that_is_asked_for(self, client: Client) -> None:
        begin_season(4, division_size=4)
        for asked in ("0", "99", "x", "²", "9" * 5000):
            assert (
                Page(client.get(f"{LEAGUE_URL}1/1/", {"round": asked})).text(".rounds [aria-current]") == "3"
            )

    @pytest.mark.parametrize("players", [4, 12])
    def test_costs_the_same_however_many_play(
        self, client: Client, django_assert_max_num_queries: Any, players: int
    ) -> None:
        begin_season(players, division_size=players)
        resign_all_games(BEGINS + DAY, choose_later_name)
        client.force_login(Player.objects.get(username="Player00"))
        for url in ("/leagues/", LEAGUE_URL, f"{LEAGUE_URL}log/", f"{LEAGUE_URL}1/", f"{LEAGUE_URL}1/1/"):
            with django_assert_max_num_queries(17 if url == LEAGUE_URL else 12):
                assert client.get(url).status_code == 200
