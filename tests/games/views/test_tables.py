"""Tests of waiting tables, joining and leaving, and a rematch, through the pages."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.services import close_account
from games import play, tables
from games.models import Ending, Game, Status
from tests.games.factories import (
    NOW,
    make_game,
    make_player,
    make_players,
    make_table,
    play_turns,
)
from tests.html import Page, words

from .at_tables import SETTINGS, at_the_door, buttons, places, said

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return make_players(1)[0]


@pytest.fixture
def bruno(anna) -> Player:
    return make_players(2)[1]


class TestWaitingRoom:
    def test_tells_a_stranger_the_settings_and_how_to_sit_down(self, client):
        table = make_table(seats=3, days_per_move=7, options={"fields": "none"})
        page = Page(client.get(f"/g/{table.code}/"))
        assert page.text("#waiting h1").endswith(" needs 2 more players")
        assert page.text(".waiting-head p") == "It starts as soon as all 2 free seats are taken."
        (time,) = page.texts(".settings dt:-soup-contains('Time') + dd")
        assert time.startswith("7 days a move; ")
        assert page.texts(".settings dd:-soup-contains('no farmers')")
        assert page.link("Sign in to join") == f"/account/login/?next=%2Fg%2F{table.code}%2F"
        assert page.texts("#content h2")[0] == "Players"
        assert not page.has("#content button") and not page.has("#invite-title")

    def test_its_link_can_be_copied_and_shared(self, anna):
        table = make_table()
        page = Page(at_the_door(anna).get(f"/g/{table.code}/"))
        link = f"http://testserver/g/{table.code}/"
        assert page.values("input[readonly]#table-link") == [link]
        assert page.texts(".share button") == ["Copy link", "Share link"]
        assert page.one(".share-sheet")["data-share"] == link

    def test_a_full_table_asks_nobody_to_sign_in(self, client, anna):
        table = make_table()
        tables.invite(game_id=table.pk, inviter=anna, address="x@example.org", now=NOW)
        page = Page(client.get(f"/g/{table.code}/"))
        assert page.text(".waiting-head p") == "It starts as soon as everyone who's invited has accepted."
        assert "Sign in to join" not in page.texts("#content a")

    def test_those_at_the_table_are_told_who_has_declined(self, anna, bruno):
        table = make_table()
        asked = tables.invite(game_id=table.pk, inviter=anna, player=bruno, now=NOW)
        tables.decline(token=asked.token, player=bruno, now=NOW)
        page = Page(at_the_door(anna).get(f"/g/{table.code}/"))
        assert "Bruno has declined." in page.texts("#invite-title ~ p")
        page = Page(at_the_door(make_player("Zoe")).get(f"/g/{table.code}/"))
        assert not page.mentions("has declined")

    def test_private_tables_are_not_there_for_others(self, client, anna):
        table = make_table(visibility="private")
        for code in (table.code, "nothinghere"):  # a guest may be a player who has yet to sign in
            assert client.get(f"/g/{code}/").url == f"/account/login/?next=/g/{code}/"
        zoe = at_the_door(make_player("Zoe"))
        assert zoe.get(f"/g/{table.code}/").status_code == 404
        for act in ("sit", "leave", "cancel", "bot", "invite", "rematch"):
            assert zoe.post(f"/g/{table.code}/{act}/").status_code == 404
        assert at_the_door(anna).get(f"/g/{table.code}/").status_code == 200

    def test_shows_the_host_link_invitations_and_what_can_be_done(self, anna, bruno):
        table = make_table(seats=4, visibility="link")
        tables.invite(game_id=table.pk, inviter=anna, address="guest@example.com", now=NOW)
        response = at_the_door(anna).get(f"/g/{table.code}/")
        assert Page(response).values("#table-link")[0] == f"http://testserver/g/{table.code}/"
        assert places(response)[1] == "guest@example.com invited Withdraw"
        assert {"Withdraw", "Cancel the table", "Add the house bot"} <= set(buttons(response))

    def test_keeps_addresses_from_strangers(self, anna, client):
        table = make_table(seats=3)
        tables.invite(game_id=table.pk, inviter=anna, address="guest@example.com", now=NOW)
        response = client.get(f"/g/{table.code}/")
        assert places(response)[1:] == ["a guest invited", "Free seat"]
        assert not Page(response).mentions("guest@example.com")

    def test_tells_an_address_to_the_inviter_alone_and_not_whose_it_is(self, anna, bruno):
        clara = make_player("Clara")
        table = make_table(seats=5)
        tables.sit(game_id=table.pk, player=bruno, now=NOW)
        for address in ("guest@example.com", "clara@example.org"):
            tables.invite(game_id=table.pk, inviter=anna, address=address, now=NOW)
        tables.invite(game_id=table.pk, inviter=bruno, player=make_player("David"), now=NOW)
        hers = at_the_door(anna).get(f"/g/{table.code}/")
        assert places(hers)[2:] == [
            "guest@example.com invited Withdraw",
            "clara@example.org invited Withdraw",
            "David invited Withdraw",
        ]
        assert not Page(hers).mentions("Clara")
        his = at_the_door(bruno).get(f"/g/{table.code}/")
        assert places(his)[1:4] == ["a guest invited", "a guest invited", "David invited Withdraw"]
        assert not Page(his).mentions("@example") and not Page(his).mentions("Clara")
        assert "Clara invited" in places(at_the_door(clara).get(f"/g/{table.code}/"))

    def test_htmx_asks_for_news_and_goes_to_the_board_when_it_begins(self, anna, bruno):
        table = make_table()
        browser, asking = at_the_door(anna), {"HX-Request": "true"}
        part = browser.get(f"/g/{table.code}/?waiting", headers=asking)
        assert Page(part).roots() == ["div#waiting"]
        tables.sit(game_id=table.pk, player=bruno, now=NOW)
        assert browser.get(f"/g/{table.code}/?waiting", headers=asking)["HX-Refresh"] == "true"

    def test_htmx_gets_nothing_while_nothing_happens(self, anna, bruno):
        table = make_table(seats=4)
        browser = at_the_door(anna)
        for happens in (
            lambda: tables.sit(game_id=table.pk, player=bruno, now=NOW),
            lambda: tables.invite(game_id=table.pk, inviter=anna, address="a@example.org", now=NOW),
            lambda: tables.say(game_id=table.pk, player=bruno, text="Hello", now=NOW),
            lambda: tables.cancel(game_id=table.pk, player=anna, now=NOW),
        ):
            news = str(Page(browser.get(f"/g/{table.code}/")).one("#waiting")["hx-get"])
            assert browser.get(news, headers={"HX-Request": "true"}).status_code == 204
            happens()
            assert browser.get(news, headers={"HX-Request": "true"}).status_code == 200

    def test_a_cancelled_table_says_so(self, anna):
        table = make_table()
        tables.cancel(game_id=table.pk, player=anna, now=NOW)
        response = at_the_door(anna).get(f"/g/{table.code}/")
        assert "cancelled before it began" in Page(response).text(".waiting-head p")
        assert buttons(response) == ["Say"]

    @pytest.mark.parametrize("invited", [0, 4])
    def test_costs_the_same_for_a_large_table(self, anna, invited, django_assert_max_num_queries):
        table = make_table(seats=2 if not invited else 6)
        for at in range(invited):
            tables.invite(game_id=table.pk, inviter=anna, address=f"{at}@example.com", now=NOW)
        browser = at_the_door(anna)
        with django_assert_max_num_queries(12):
            browser.get(f"/g/{table.code}/")


class TestSittingDown:
    def test_the_last_one_begins_the_game(self, bruno):
        table = make_table()
        response = at_the_door(bruno).post(f"/g/{table.code}/sit/", {"colour": "black"})
        assert response.url == f"/g/{table.code}/"
        table.refresh_from_db()
        assert table.status == Status.PLAYING
        assert table.seats.get(player=bruno).colour == "black"

    def test_strangers_come_back_to_the_table_after_signing_in(self, client):
        table = make_table()
        response = client.post(f"/g/{table.code}/sit/")
        assert response.url == f"/account/login/?next=/g/{table.code}/"

    def test_a_full_table_is_refused_in_words(self, anna, bruno):
        table = make_table()
        tables.invite(game_id=table.pk, inviter=anna, player=bruno, now=NOW)
        response = at_the_door(make_player("Zoe")).post(f"/g/{table.code}/sit/", follow=True)
        assert said(response) == ["All seats at this table are taken or reserved."]
        assert not table.seats.filter(player__username="Zoe").exists()

    def test_twice_is_harmless(self, bruno):
        table = make_table(seats=3)
        browser = at_the_door(bruno)
        browser.post(f"/g/{table.code}/sit/")
        browser.post(f"/g/{table.code}/sit/")
        assert table.seats.filter(player=bruno).count() == 1

    def test_a_colour_that_is_taken_is_no_reason_to_stay_standing(self, anna, bruno):
        table = make_table(seats=3, colour="red")
        at_the_door(bruno).post(f"/g/{table.code}/sit/", {"colour": "red"})
        assert table.seats.get(player=bruno).colour != "red"

    def test_a_link_to_it_only_shows_the_table(self, bruno):
        table = make_table()
        assert at_the_door(bruno).get(f"/g/{table.code}/sit/").url == f"/g/{table.code}/"
        assert not table.seats.filter(player=bruno).exists()


class TestLeaving:
    def test_a_guest_leaves(self, bruno):
        table = make_table(seats=3)
        tables.sit(game_id=table.pk, player=bruno, now=NOW)
        response = at_the_door(bruno).post(f"/g/{table.code}/leave/", follow=True)
        (left,) = said(response)
        assert left.startswith("You've left the table")
        assert not table.seats.filter(player=bruno).exists()

    def test_the_host_is_told_to_cancel_instead(self, anna):
        table = make_table()
        response = at_the_door(anna).post(f"/g/{table.code}/leave/", follow=True)
        (why,) = said(response)
        assert "you can cancel it" in why
        assert table.seats.filter(player=anna).exists()

    def test_only_the_host_cancels(self, anna, bruno):
        table = make_table(seats=3)
        tables.sit(game_id=table.pk, player=bruno, now=NOW)
        response = at_the_door(bruno).post(f"/g/{table.code}/cancel/", {"sure": "yes"}, follow=True)
        assert said(response) == ["Only the player who set up the table can do this."]
        response = at_the_door(anna).post(f"/g/{table.code}/cancel/", {"sure": "yes"}, follow=True)
        assert said(response) == [f"The table {table.name} is cancelled."]
        table.refresh_from_db()
        assert (table.status, table.ending) == (Status.ABORTED, Ending.CANCELLED)

    def test_not_once_the_game_has_begun(self, bruno):
        game = make_game()
        response = at_the_door(bruno).post(f"/g/{game.code}/leave/", follow=True)
        assert said(response) == ["This table is no longer open."]
        assert game.seats.filter(player=bruno).exists()


class TestBotSeat:
    def test_the_host_gives_a_seat_away(self, anna):
        table = make_table(seats=3)
        at_the_door(anna).post(f"/g/{table.code}/bot/")
        assert table.seats.filter(bot="house").count() == 1

    def test_others_may_not(self, bruno):
        table = make_table(seats=3)
        response = at_the_door(bruno).post(f"/g/{table.code}/bot/", follow=True)
        assert said(response) == ["Only the player who set up the table can do this."]
        assert not table.seats.exclude(bot="").exists()


class TestRematch:
    def test_is_not_offered_where_nobody_is_left(self):
        for seats, offered in ((2, False), (3, True)):
            game = make_game(seats=seats)
            anna, bruno = game.seats.get(index=0).player, game.seats.get(index=1).player
            play.resign(game_id=game.pk, seat=0, now=NOW)
            if seats == 3:
                play.resign(game_id=game.pk, seat=1, now=NOW)
            close_account(player=bruno, now=NOW)
            page = Page(at_the_door(anna).get(f"/g/{game.code}/"))
            assert ("Rematch" in page.texts(".ways-on button")) == offered, seats
            assert ("free" in page.text("#turn p.muted")) == offered, seats
            response = at_the_door(anna).post(f"/g/{game.code}/rematch/", follow=True)
            assert Game.objects.filter(rematch_of=game).exists() == offered, seats
            assert offered or said(response) == ["There's no rematch: no opponent has an account any more."]

    def test_leads_to_the_same_new_table_for_both(self, anna, bruno):
        game = play_turns(make_game(), 2)
        play.resign(game_id=game.pk, seat=0, now=NOW)
        first = at_the_door(anna).post(f"/g/{game.code}/rematch/")
        again = Game.objects.get(rematch_of=game)
        assert first.url == f"/g/{again.code}/"
        assert at_the_door(bruno).post(f"/g/{game.code}/rematch/").url == first.url
        again.refresh_from_db()
        assert again.status == Status.PLAYING

    def test_is_refused_while_the_game_is_played_and_to_others(self, anna):
        game = make_game()
        response = at_the_door(anna).post(f"/g/{game.code}/rematch/", follow=True)
        assert said(response) == ["You can ask for a rematch when the game is over."]
        response = at_the_door(make_player("Zoe")).post(f"/g/{game.code}/rematch/", follow=True)
        assert said(response) == ["You're not at this table."]
        assert not Game.objects.filter(rematch_of=game).exists()


def test_forms_are_guarded_against_other_sites(anna):
    table = make_table()
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(anna)
    for url in (f"/g/{table.code}/cancel/", f"/g/{table.code}/sit/", "/new/", "/new/bot/"):
        assert browser.post(url, SETTINGS).status_code == 403
    assert Game.objects.get().status == Status.OPEN


def test_times_are_those_of_the_player(anna):
    game = make_game(now=timezone.now())
    anna.time_zone = "Pacific/Auckland"
    anna.save()
    card = Page(at_the_door(anna).get("/games/")).one(".card.game")
    assert card.select_one("time")["datetime"].endswith(("+13:00", "+12:00"))
    assert words(card.h3).startswith(game.name)
