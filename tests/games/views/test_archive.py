"""Tests of the archive and the games on a player's page: visibility, order, and queries."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.services import close_account
from tests.games.factories import (
    NOW,
    copy_game,
    make_game,
    make_player,
    make_players,
    new_process,
    play_turns,
    sign_up_only,
)
from tests.html import Page

from .listed import (
    boards,
    cards,
    finished,
    finished_game,
    page_links,
    signed_in,
)

pytestmark = pytest.mark.django_db


UNKNOWN = ".filters .field:has([name=player]) .errorlist li"


class TestArchive:
    def test_shows_strangers_public_games_and_players_their_own(self, client):
        anna = make_players(1)[0]
        finished_game(name="Open")
        finished_game(name="Secret", visibility="private")
        make_game(name="Running")
        response = client.get("/archive/")
        assert finished(response) == ["Open"]
        assert not Page(response).mentions("Secret") and not Page(response).mentions("Running")
        assert sorted(finished(signed_in(client, anna).get("/archive/"))) == ["Open", "Secret"]
        assert finished(signed_in(client, make_player("Zoe")).get("/archive/")) == ["Open"]

    def test_of_two_players_the_games_of_who_has_fewer_are_read(self, client):
        zoe = make_player("Zoe")
        copy_game(finished_game(name="Open"), 3)
        for names in ("player=anna&against=Zoe", "player=Zoe&against=anna"):
            with CaptureQueriesContext(connection) as queries:
                client.get(f"/archive/?{names}")
            (read,) = [
                query["sql"] for query in queries if "EXISTS" in query["sql"] and "LIMIT 21" in query["sql"]
            ]
            assert f'"games_seat"."player_id" = {zoe.pk} ' in read

    def test_of_two_players_together(self, client):
        make_player("Zoe")
        finished_game(name="Open")
        assert finished(client.get("/archive/?player=anna&against=bruno")) == ["Open"]
        assert finished(client.get("/archive/?player=anna&against=Zoe")) == []
        page = Page(client.get("/archive/?player=anna&against=Nobody"))
        assert not page.has("table.finished") and page.mentions("There is no player called Nobody")

    def test_of_one_player(self, client):
        make_player("Zoe")
        finished_game(name="Open")
        assert finished(client.get("/archive/?player=anna")) == ["Open"]
        assert finished(client.get("/archive/?player=Zoe")) == []
        assert Page(client.get("/archive/?player=Nobody")).texts(UNKNOWN) == [
            "There is no player called Nobody."
        ]

    def test_knows_nobody_who_has_not_confirmed_the_address(self, client):
        sign_up_only("Nobody")
        assert Page(client.get("/archive/?player=Nobody")).texts(UNKNOWN) == [
            "There is no player called Nobody."
        ]

    @pytest.mark.parametrize("count", [1, 6])
    def test_costs_the_same_for_many(self, client, count, django_assert_max_num_queries):
        copy_game(finished_game(), count - 1)
        signed_in(client, make_players(1)[0])
        with django_assert_max_num_queries(7):
            page = client.get("/archive/")
        assert len(finished(page)) == count


class TestPlayer:
    def test_shows_only_what_the_visitor_may_see(self, client):
        anna = make_players(1)[0]
        make_game(name="Running")
        make_game(name="Secret", visibility="private")
        response = client.get("/players/Anna/")
        assert cards(response) == ["Running"] and not Page(response).mentions("Secret")
        response = signed_in(client, anna).get("/players/Anna/")
        assert sorted(cards(response)) == ["Running", "Secret"]
        assert Page(response).texts(".person > a.button") == ["Edit your profile"]

    def test_challenge_fills_in_the_form(self, client):
        make_players(1)
        signed_in(client, make_player("Zoe"))
        way = Page(client.get("/players/Anna/")).link("Invite to a game")
        assert way == "/new/?invite=Anna"
        assert [element.strip() for element in Page(client.get(way)).values("[name=invite]")] == ["Anna"]

    def test_a_closed_account_has_no_page_and_no_name(self, client):
        anna = make_players(1)[0]
        finished_game()
        close_account(player=anna, now=NOW)
        anna.refresh_from_db()
        assert client.get("/players/Anna/").status_code == 404
        assert client.get(f"/players/{anna.username}/").status_code == 404
        page = Page(client.get("/archive/"))
        assert page.links(".ranking a") == ["/players/Bruno/"]
        assert not page.mentions("Anna") and not page.mentions(f"/players/{anna.username}")

    def test_unknown(self, client):
        assert client.get("/players/Nobody/").status_code == 404

    def test_who_has_not_confirmed_the_address_has_none(self, client):
        sign_up_only("Nobody")
        assert client.get("/players/Nobody/").status_code == 404

    @pytest.mark.parametrize("count", [1, 8])
    def test_costs_the_same_for_many(self, client, count, django_assert_max_num_queries):
        for _ in range(count):
            play_turns(make_game(), 3)
        new_process()
        with django_assert_max_num_queries(9):  # one of them for both ratings
            client.get("/players/Anna/")

    def test_what_is_played_goes_on_from_page_to_page_the_latest_turn_first(self, client):
        for at in range(30):
            make_game(name=f"Game {at:02}", now=NOW + timedelta(minutes=at))
        finished_game(name="Over")
        first = client.get("/players/Anna/")
        assert cards(first) == [f"Game {at:02}" for at in range(29, 5, -1)]
        assert boards(first) == 24
        assert list(page_links(first)) == ["next"]
        second = client.get(f"/players/Anna/{page_links(first)['next']}")
        assert cards(second) == [f"Game {at:02}" for at in range(5, -1, -1)]
        assert list(page_links(second)) == ["prev"]
        assert cards(client.get(f"/players/Anna/{page_links(second)['prev']}")) == cards(first)

    @pytest.mark.parametrize("count", [10, 500])
    def test_costs_the_same_for_ten_games_and_for_five_hundred(
        self, client, count, django_assert_max_num_queries
    ):
        copy_game(play_turns(make_game(), 2), count - 1)
        finished_game()
        new_process()
        with django_assert_max_num_queries(9):  # one of them for both ratings
            page = client.get("/players/Anna/")
        assert boards(page) == min(count, 24)

    @pytest.mark.parametrize("count", [1, 8])
    def test_costs_the_same_for_many_to_somebody_else_who_is_signed_in(
        self, client, count, django_assert_max_num_queries
    ):
        bruno = make_players(2)[1]
        copy_game(play_turns(make_game(), 2), count - 1)
        copy_game(finished_game(), count - 1)
        signed_in(client, bruno)
        new_process()
        with django_assert_max_num_queries(14):  # one of them for both ratings
            page = client.get("/players/Anna/")
        assert boards(page) == count and len(finished(page)) == count

    def test_kept_boards_are_shown_to_none_who_may_not_see_the_game(self, client):
        anna = make_players(1)[0]
        secret = make_game(name="Secret", visibility="private")
        assert boards(signed_in(Client(), anna).get("/players/Anna/")) == 1
        response = client.get("/players/Anna/")
        assert boards(response) == 0
        assert not Page(response).mentions(secret.code)


def test_lists_take_no_posts(client):
    signed_in(client, make_player("Zoe"))
    for url in ("/games/", "/lobby/", "/archive/", "/players/Zoe/", "/games/next/", "/"):
        assert client.post(url).status_code == 405
