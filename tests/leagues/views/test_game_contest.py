"""Tests of a game's place in its league, and of its settling, on its page and in mails."""

from __future__ import annotations

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from games import play
from games.clocks import DAY
from games.models import Game, Kind, Notice
from games.notices import email, notice_facts
from leagues.models import Fixture
from leagues.standings import Rules
from tests.games.factories import make_game, play_turns
from tests.html import Page
from tests.leagues.knock_out_helpers import begin_cup
from tests.leagues.ladder_helpers import begin_ladder, challenge_player
from tests.leagues.organising_helpers import settle_fixture
from tests.leagues.season_helpers import BEGINS, advance_seasons, begin_season, get_numbered_player
from tests.leagues.team_season_helpers import FIRST_ROUND, begin_team_season
from tests.leagues.views.league_page_helpers import LEAGUE_URL
from tests.leagues.views.team_page_helpers import TEAM_LEAGUE_URL

pytestmark = pytest.mark.django_db


def get_game() -> Game:
    game = Game.objects.order_by("pk").first()
    assert game is not None
    return game


def see(client: Client, game: Game, page: str = "") -> Page:
    return Page(client.get(f"/g/{game.code}/{page}"))


def links_of(page: Page) -> list[tuple[str, str]]:
    found = list(zip(page.texts(".contest a"), page.links(".contest a"), strict=True))
    return found[:2]


class TestLinks:
    def test_league_division_round_and_game_of_a_match(self, client: Client) -> None:
        begin_season(4, division_size=4, rules=Rules.usual(2, best_of=3))
        wanted = [
            ("Cup of Foix", LEAGUE_URL),
            ("Division 1, Round 1, game 1 of 3 at most", f"{LEAGUE_URL}1/1/?round=1"),
        ]
        assert links_of(see(client, get_game())) == wanted
        assert links_of(see(client, get_game(), "text/")) == wanted

    def test_a_knock_out(self, client: Client) -> None:
        begin_cup(4)
        assert links_of(see(client, get_game()))[1] == ("Knock-out, Semi-finals", f"{LEAGUE_URL}1/1/")

    def test_a_ladder(self, client: Client) -> None:
        challenge_player(begin_ladder(3), 1, 0)
        assert links_of(see(client, get_game()))[1] == ("Ladder", f"{LEAGUE_URL}1/1/")

    def test_a_match_of_teams(self, client: Client) -> None:
        begin_team_season("AB")
        advance_seasons(FIRST_ROUND)
        name, url = links_of(see(client, get_game()))[1]
        assert name in ("Division 1, Round 1, A – B", "Division 1, Round 1, B – A")
        assert url == f"{TEAM_LEAGUE_URL}1/1/1/1/"

    def test_no_other_game_has_any_nor_costs_a_query(self, client: Client) -> None:
        begin_season(2, division_size=4)
        mine, other = get_game(), make_game()
        costs = {}
        for game in (mine, other):
            see(client, game)
            with CaptureQueriesContext(connection) as asked:
                page = see(client, game)
            costs[game.pk] = sum("leagues_" in query["sql"] for query in asked)
            assert page.has(".contest") == (game == mine)
        assert costs == {mine.pk: 1, other.pk: 0}


def settle_against(loser: Player, winner: Player, reason: str = "He was not there") -> Game:
    fixture = Fixture.objects.get()
    settle_fixture(fixture, {winner: 1, loser: 2}, reason=reason)
    assert fixture.game is not None
    return fixture.game


class TestVerdict:
    def test_who_settled_it_and_why_stand_on_its_page(self, client: Client) -> None:
        begin_season(2, division_size=4)
        first, second = get_numbered_player(0), get_numbered_player(1)
        game = settle_against(second, first)
        told = (
            "Founder decided on 9 March 2026 how this game counts in the league: 1. Player00, 2. Player01. "
            "Reason: He was not there"
        )
        assert see(client, game).text(".verdict") == told
        assert see(client, game, "text/").text(".verdict") == told

    def test_the_reason_says_names_as_they_are_now(self, client: Client) -> None:
        begin_season(2, division_size=4)
        first, second = get_numbered_player(0), get_numbered_player(1)
        game = settle_against(second, first, reason="Player01 was not there")
        Player.objects.filter(pk=second.pk).update(username="Jorg")
        assert see(client, game).text(".verdict").endswith("2. Jorg. Reason: Jorg was not there")

    def test_a_game_that_was_left_at_once_is_a_forfeit(self, client: Client) -> None:
        begin_season(2, division_size=4)
        game = get_game()
        seat = game.seats.get(player=get_numbered_player(1))
        play.resign(game_id=game.pk, seat=seat.index, now=BEGINS + DAY)
        told = "In the league it counts as a forfeit of Player01."
        assert see(client, game).text(".verdict") == told, "also in mails that are written before it counts"
        advance_seasons(BEGINS + DAY)
        assert see(client, game).text(".verdict") == told

    def test_one_that_was_broken_off_waits_for_organisers(self, client: Client) -> None:
        begin_season(2, division_size=4)
        game = get_game()
        play.abort(game_id=game.pk, seat=0, now=BEGINS + DAY)
        with time_machine.travel(BEGINS + 2 * DAY):
            assert see(client, game).text(".verdict") == (
                "The league's organisers have until 8 June 2026, 12:00 (UTC) to decide how it counts."
            )

    def test_one_that_was_played_needs_none(self, client: Client) -> None:
        begin_season(2, division_size=4)
        resign_after_turns(get_game())
        assert not see(client, get_game()).has(".verdict")


def resign_after_turns(game: Game, loser: int = 1) -> None:
    play_turns(game, 4, now=BEGINS + DAY)
    seat = game.seats.get(player=get_numbered_player(loser))
    play.resign(game_id=game.pk, seat=seat.index, now=BEGINS + DAY)
    play.score(game_id=game.pk, now=BEGINS + DAY)
    advance_seasons(BEGINS + DAY)


class TestSeries:
    def test_games_have_their_number_of_all(self, client: Client) -> None:
        begin_season(2, division_size=4, rules=Rules.usual(2, best_of=3))
        game = get_game()
        play.resign(game_id=game.pk, seat=0, now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        games = Page(client.get(f"{LEAGUE_URL}1/1/")).texts(".match-games li a")
        assert games == ["Game 1 of 3", "Game 2 of 3"]


class TestUndecided:
    def test_the_division_says_until_when_organisers_decide(self, client: Client) -> None:
        begin_season(2, division_size=4)
        play.abort(game_id=get_game().pk, seat=0, now=BEGINS + DAY)
        with time_machine.travel(BEGINS + 2 * DAY):
            page = Page(client.get(f"{LEAGUE_URL}1/1/"))
        assert page.texts(".match-games li") == ["Game: organisers decide by 8 June 2026"]
        assert page.texts(".matches .state") == ["not decided yet"]

    def test_a_game_that_organisers_declare_even_says_so(self, client: Client) -> None:
        begin_season(2, division_size=4)
        first, second = get_numbered_player(0), get_numbered_player(1)
        settle_fixture(Fixture.objects.get(), {first: 1, second: 1})
        games = Page(client.get(f"{LEAGUE_URL}1/1/")).texts(".match-games li")
        assert sorted(games[0].removeprefix("Game: ").removesuffix(" tied").split(", ")) == [
            "Player00",
            "Player01",
        ]


class TestResignedGames:
    def test_have_no_points_in_the_league(self, client: Client) -> None:
        begin_season(2, division_size=4)
        resign_after_turns(get_game())
        page = Page(client.get(f"{LEAGUE_URL}1/1/"))
        assert page.texts(".match-games li") == ["Game: Player00 won: Player01 resigned"]

    def test_have_none_in_the_winners_list_of_games(self, client: Client) -> None:
        begin_season(2, division_size=4)
        resign_after_turns(get_game())
        winner = get_numbered_player(0)
        client.force_login(winner)
        winner.seats.update(ended=timezone.now())
        Game.objects.update(finished=timezone.now())
        page = Page(client.get("/games/"))
        assert page.text(".ended p") == "won Player01: resigned"


class TestMails:
    def test_name_and_link_the_league(self) -> None:
        begin_season(2, division_size=4)
        game = get_game()
        play_turns(game, 1, now=BEGINS + DAY)
        notice = Notice.objects.filter(kind=Kind.YOUR_TURN, game=game).latest("pk")
        sent = email.compose(notice)
        site = "https://carcassonne.example"
        assert f"Division 1, Round 1: {site}{LEAGUE_URL}1/1/?round=1" in sent.body
        html = str(sent.alternatives[0][0])
        assert f'href="{site}{LEAGUE_URL}"' in html

    def test_cost_no_query_more_however_many(self) -> None:
        begin_season(6, division_size=6)
        due = list(Notice.objects.filter(kind=Kind.YOUR_TURN).select_related("game", "recipient"))
        assert len(due) > 4
        costs = []
        for batch in (due[:1], due):
            with CaptureQueriesContext(connection) as asked:
                notice_facts.read(batch)
            costs.append(sum("leagues_" in query["sql"] for query in asked))
        assert costs == [1, 1]
