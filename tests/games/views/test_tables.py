"""Setting up a table, sitting down, inviting and being invited, through the pages."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import play, tables
from games.models import Answer, Ending, Game, Invitation, Status
from games.tables.setup import OPEN_FOR, TOWNS
from tests.games.factories import (
    NOW,
    make_game,
    make_player,
    make_players,
    make_table,
    play_turns,
    sign_up_only,
)
from tests.html import Page, words

pytestmark = pytest.mark.django_db

SETTINGS = {
    "name": "Toulouse",
    "seats": "3",
    "bots": "0",
    "days_per_move": "5",
    "visibility": "link",
    "preset": "standard",
}


def at_the_door(player: Player | None = None) -> Client:
    """A browser, signed in as *player*."""
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


def said(response) -> list[str]:
    """What the site says on top of the page that came."""
    return Page(response).texts("#messages .message")


def missing(response, field: str) -> list[str]:
    """What is wrong with the field of this name."""
    return Page(response).texts(f".field:has([name={field}]) .errorlist li")


def places(response) -> list[str]:
    """The seats of a table that waits, in words."""
    return Page(response).texts(".places .place-name")


def buttons(response) -> list[str]:
    return Page(response).texts("#content button")


@pytest.fixture
def anna() -> Player:
    return make_players(1)[0]


@pytest.fixture
def bruno(anna) -> Player:
    return make_players(2)[1]


class TestSettingUp:
    def test_strangers_sign_in_first(self, client):
        assert client.get("/new/").url == "/account/login/?next=/new/"
        assert client.post("/new/", SETTINGS).url == "/account/login/?next=/new/"
        assert not Game.objects.exists()

    def test_the_form_proposes_a_name(self, anna):
        page = Page(at_the_door(anna).get("/new/"))
        assert page.values("form.setup [name=name]")[0] in TOWNS
        assert page.texts("label:has([name=visibility])") == ["Anybody", "By link", "Invited"]
        assert page.texts("label:has([name=days_per_move]) b") == ["Brisk", "Steady", "Relaxed", "Slow"]

    def test_makes_a_table_as_asked(self, anna):
        response = at_the_door(anna).post("/new/", {**SETTINGS, "rated": "on", "colour": "pink"})
        game = Game.objects.get()
        assert response.url == f"/g/{game.code}/"
        assert (game.name, game.places, game.days_per_move) == ("Toulouse", 3, 5)
        assert (game.visibility, game.rated, game.status) == ("link", True, "open")
        assert game.rules.options["fields"] == "third-edition"
        assert game.seats.get(player=anna).colour == "pink"

    def test_a_second_click_makes_no_second_table(self, anna):
        client, asked = at_the_door(anna), {**SETTINGS, "invite": "guest@example.com"}
        first, second = (client.post("/new/", asked) for _ in range(2))
        assert second.url == first.url
        assert Game.objects.get().invitations.count() == 1
        client.post("/new/", {**asked, "name": "Another"})
        assert Game.objects.count() == 2

    def test_without_a_name_it_gets_a_towns(self, anna):
        at_the_door(anna).post("/new/", {**SETTINGS, "name": " "})
        assert Game.objects.get().name in TOWNS

    @pytest.mark.parametrize(
        ("chosen", "fields", "two_tile_city"),
        [
            ({"preset": "first"}, "none", 4),
            ({"preset": "old"}, "first-edition", 2),
            ({"preset": "old", "option_fields": "1"}, "second-edition", 2),
            ({"option_two_tile_city": "1"}, "third-edition", 2),
        ],
    )
    def test_presets_and_what_is_chosen_beside_them(self, anna, chosen, fields, two_tile_city):
        at_the_door(anna).post("/new/", {**SETTINGS, **chosen})
        options = Game.objects.get().rules.options
        assert (options["fields"], options["two_tile_city"]) == (fields, two_tile_city)

    def test_bots_fill_a_table_that_begins_at_once(self, anna):
        at_the_door(anna).post("/new/", {**SETTINGS, "bots": "2"})
        assert Game.objects.get().status == Status.PLAYING

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"bots": "3"}, "the bot can have at most 2"),
            ({"rated": "on", "bots": "1"}, "Games with a bot can't be rated."),
            ({"seats": "7"}, "Select a valid choice"),
            ({"days_per_move": "4"}, "Select a valid choice"),
            ({"visibility": "hidden"}, "Select a valid choice"),
            ({"option_fields": "9"}, "Select a valid choice"),
            ({"name": "x" * 61}, "at most 60 characters"),
            ({"invite": "Nobody"}, "There is no player called Nobody."),
            ({"invite": "a@b"}, "“a@b” is no e-mail address."),
            ({"invite": "x@y.org " * 200}, "at most 1000 characters"),
            ({"invite": "Anna"}, "You sit at the table already"),
            ({"invite": "anna@example.org"}, "You sit at the table already"),
            ({"invite": "a@x.org b@x.org c@x.org"}, "There are not so many free seats."),
        ],
    )
    def test_says_what_is_wrong_and_makes_nothing(self, anna, wrong, message):
        response = at_the_door(anna).post("/new/", {**SETTINGS, **wrong})
        assert response.status_code == 200
        (why,) = missing(response, next(iter(wrong)))
        assert message in why
        assert not Game.objects.exists()
        assert not Invitation.objects.exists()

    def test_an_empty_form_says_what_is_missing(self, anna):
        response = at_the_door(anna).post("/new/", {})
        for field in ("seats", "bots", "days_per_move", "visibility", "preset"):
            assert missing(response, field) == ["This field is required."], field
        assert len(Page(response).all(".setup .errorlist li")) == 5

    def test_invites_at_once(self, anna, bruno):
        response = at_the_door(anna).post(
            "/new/", {**SETTINGS, "invite": "bruno, Guest@Example.com"}, follow=True
        )
        asked = {(one.player, one.address) for one in Invitation.objects.all()}
        assert asked == {(bruno, ""), (None, "guest@example.com")}
        assert said(response)[0] == "Bruno is invited."

    def test_takes_a_line_for_those_who_are_invited(self, anna, bruno):
        door, asked = at_the_door(anna), {**SETTINGS, "invite": "bruno"}
        response = door.post("/new/", {**asked, "greeting": "look at www.example.org"})
        assert missing(response, "greeting") == ["Your line may hold no links."]
        assert not Game.objects.exists()
        door.post("/new/", {**asked, "greeting": "After tea"})
        assert Invitation.objects.get().greeting == "After tea"

    def test_names_whom_it_could_not_invite(self, anna, bruno):
        twice = {**SETTINGS, "invite": "bruno, @Bruno"}
        response = at_the_door(anna).post("/new/", twice, follow=True)
        assert "Bruno: This player is invited already." in said(response)
        assert Invitation.objects.count() == 1

    def test_does_not_say_whose_address_it_is(self, anna, bruno):
        for mails in ("bruno, bruno@example.org", "bruno, nobody@example.org"):
            response = at_the_door(anna).post("/new/", {**SETTINGS, "invite": mails}, follow=True)
            assert said(response) == ["Bruno is invited.", f"{mails.split()[1]} is invited."]
            Game.objects.update(created=NOW)  # the next is no second click

    def test_house_rules_are_folded_and_counted(self, anna):
        page = Page(at_the_door(anna).post("/new/", {**SETTINGS, "bots": "9", "option_fields": "2"}))
        assert page.has("details.house:not([open]) [name=option_fields]")
        page = Page(
            at_the_door(anna).post(
                "/new/", {**SETTINGS, "name": "x" * 61, "option_fields": "2", "purist": "on"}
            )
        )
        assert page.text("details.house > summary") == "House rules 2 are not as printed"

    def test_house_rules_unfold_where_something_is_wrong(self, anna):
        page = Page(at_the_door(anna).post("/new/", {**SETTINGS, "option_fields": "9"}))
        assert page.has("details.house[open] .errorlist")


class TestPlayingTheBot:
    def test_takes_one_click(self, anna):
        response, again = (at_the_door(anna).post("/new/bot/") for _ in range(2))
        assert again.url == response.url
        game = Game.objects.get()
        assert response.url == f"/g/{game.code}/"
        assert game.status == Status.PLAYING

    def test_is_no_link_that_a_program_could_follow(self, anna):
        assert at_the_door(anna).get("/new/bot/").url == "/new/"
        assert not Game.objects.exists()

    def test_strangers_sign_in_first(self, client):
        response = client.post("/new/bot/", follow=True)
        assert response.redirect_chain[-1][0] == "/account/login/?next=/new/"
        assert not Game.objects.exists()


class TestWaitingRoom:
    def test_tells_a_stranger_the_settings_and_how_to_sit_down(self, client):
        table = make_table(seats=3, days_per_move=7, options={"fields": "none"})
        page = Page(client.get(f"/g/{table.code}/"))
        assert page.text("#waiting .page-head p").startswith("Waiting for 2 more players.")
        (time,) = page.texts(".settings dt:-soup-contains('Time') + dd")
        assert time.startswith("7 days for each turn.")
        assert page.texts(".settings dd:-soup-contains('no farmers')")
        assert page.link("Sign in to sit down") == f"/account/login/?next=%2Fg%2F{table.code}%2F"
        assert page.texts("#content h2")[0] == "Who sits here"
        assert not page.has("#content button") and "Invite" not in page.texts("#content h2")

    def test_its_link_can_be_copied_and_shared(self, anna):
        table = make_table()
        page = Page(at_the_door(anna).get(f"/g/{table.code}/"))
        link = f"http://testserver/g/{table.code}/"
        assert page.values("input[readonly]#table-link") == [link]
        assert page.texts(".share button") == ["Copy", "Share"]
        assert page.one(".share-sheet")["data-share"] == link

    def test_a_full_table_asks_nobody_to_sign_in(self, client, anna):
        table = make_table()
        tables.invite(game_id=table.pk, inviter=anna, address="x@example.org", now=NOW)
        page = Page(client.get(f"/g/{table.code}/"))
        assert page.text("#waiting .page-head p") == "Waiting for answers."
        assert "Sign in to sit down" not in page.texts("#content a")

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
        assert places(response)[1] == "kept for guest@example.com"
        assert {"Withdraw", "Cancel the table", "Give a seat to the house bot"} <= set(buttons(response))

    def test_keeps_addresses_from_strangers(self, anna, client):
        table = make_table(seats=3)
        tables.invite(game_id=table.pk, inviter=anna, address="guest@example.com", now=NOW)
        response = client.get(f"/g/{table.code}/")
        assert places(response)[1:] == ["kept for a guest", "free seat"]
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
            "kept for guest@example.com",
            "kept for clara@example.org",
            "kept for David",
        ]
        assert not Page(hers).mentions("Clara")
        his = at_the_door(bruno).get(f"/g/{table.code}/")
        assert places(his)[2:] == ["kept for a guest", "kept for a guest", "kept for David"]
        assert not Page(his).mentions("@example") and not Page(his).mentions("Clara")
        assert "kept for Clara" in places(at_the_door(clara).get(f"/g/{table.code}/"))

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
        assert "cancelled before it began" in Page(response).text("#waiting .page-head p")
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
        assert said(response) == ["All seats at this table are taken or kept for somebody."]
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
        assert left.startswith("You have left the table")
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
        response = at_the_door(bruno).post(f"/g/{table.code}/cancel/", follow=True)
        assert said(response) == ["Only the player who set up the table can do this."]
        response = at_the_door(anna).post(f"/g/{table.code}/cancel/", follow=True)
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


class TestInviting:
    def test_by_name_and_by_address(self, anna, bruno):
        table = make_table(seats=4)
        response = at_the_door(anna).post(
            f"/g/{table.code}/invite/", {"who": "@Bruno guest@example.com"}, follow=True
        )
        assert said(response) == ["Bruno is invited.", "guest@example.com is invited."]
        assert table.invitations.filter(answer=Answer.PENDING).count() == 2

    @pytest.mark.parametrize(
        ("who", "message"),
        [
            ("", "This field is required."),
            (" , ", "Say whom to invite"),
            ("Nobody", "There is no player called Nobody."),
            ("Anna", "Anna: This player sits at the table already."),
        ],
    )
    def test_says_what_is_wrong(self, anna, who, message):
        table = make_table(seats=4)
        response = at_the_door(anna).post(f"/g/{table.code}/invite/", {"who": who}, follow=True)
        (why,) = said(response) or missing(response, "who")
        assert why.startswith(message)
        assert not table.invitations.exists()

    def test_who_has_not_confirmed_the_address_is_as_unknown_as_nobody(self, anna):
        sign_up_only("Nobody")
        table = make_table(seats=4)
        response = at_the_door(anna).post(f"/g/{table.code}/invite/", {"who": "nobody"}, follow=True)
        assert missing(response, "who") == ["There is no player called nobody."]
        assert not table.invitations.exists()

    def test_only_those_at_the_table_invite(self, bruno):
        table = make_table(seats=4)
        response = at_the_door(bruno).post(f"/g/{table.code}/invite/", {"who": "a@example.com"}, follow=True)
        assert said(response) == ["a@example.com: You don't sit at this table."]
        assert not table.invitations.exists()

    def test_withdrawing_frees_the_seat(self, anna, bruno):
        table = make_table()
        asked = tables.invite(game_id=table.pk, inviter=anna, player=bruno, now=NOW)
        url = f"/g/{table.code}/invitations/{asked.pk}/withdraw/"
        response = at_the_door(bruno).post(url, follow=True)
        assert said(response) == ["Only the player who set up the table can do this."]
        at_the_door(anna).post(url)
        asked.refresh_from_db()
        assert asked.answer == Answer.WITHDRAWN

    def test_an_invitation_of_another_table_is_not_found(self, anna, bruno):
        here, there = make_table(), make_table()
        asked = tables.invite(game_id=there.pk, inviter=anna, player=bruno, now=NOW)
        url = f"/g/{here.code}/invitations/{asked.pk}/withdraw/"
        assert at_the_door(anna).post(url).status_code == 404


def told(response) -> str:
    """What is the matter with an invitation."""
    return Page(response).text(".invitation .note")


class TestInvitation:
    @pytest.fixture
    def asked(self, anna, bruno) -> Invitation:
        table = make_table(visibility="private", days_per_move=2)
        return tables.invite(game_id=table.pk, inviter=anna, player=bruno, now=NOW)

    @pytest.fixture
    def mailed(self, anna) -> Invitation:
        table = make_table(visibility="private")
        return tables.invite(game_id=table.pk, inviter=anna, address="guest@example.com", now=NOW)

    def test_tells_who_asks_and_what_for_and_how_to_come_back(self, client, asked):
        page = Page(client.get(f"/i/{asked.token}/"))
        assert page.text("h1") == "Anna invites you to a game"
        (time,) = page.texts(".settings dt:-soup-contains('Time') + dd")
        assert time.startswith("2 days for each turn.")
        back = f"?next=%2Fi%2F{asked.token}%2F"
        assert page.links(".card a.button") == [f"/account/signup/{back}", f"/account/login/{back}"]

    def test_shows_the_line_of_the_inviter_as_text(self, client, anna):
        table = make_table()
        asked = tables.invite(
            game_id=table.pk, inviter=anna, address="x@example.org", now=NOW, greeting="Rain <b>again</b>?"
        )
        page = Page(client.get(f"/i/{asked.token}/"))
        assert page.texts(".greeting > *") == ["Rain <b>again</b>?", "Anna"]

    def test_looking_answers_nothing(self, bruno, asked):
        at_the_door(bruno).get(f"/i/{asked.token}/")
        asked.refresh_from_db()
        assert asked.answer == Answer.PENDING

    def test_accepting_sits_down(self, bruno, asked):
        response = at_the_door(bruno).post(f"/i/{asked.token}/", {"answer": "accept", "colour": "yellow"})
        assert response.url == f"/g/{asked.game.code}/"
        assert asked.game.seats.get(player=bruno).colour == "yellow"
        again = at_the_door(bruno).get(f"/i/{asked.token}/")
        assert again.url == f"/g/{asked.game.code}/"

    def test_declining_needs_no_account_where_a_mail_was_sent(self, client, mailed):
        response = client.post(f"/i/{mailed.token}/", {"answer": "decline"}, follow=True)
        assert said(response)[0].startswith("You have declined.")
        mailed.refresh_from_db()
        assert mailed.answer == Answer.DECLINED
        assert told(client.get(f"/i/{mailed.token}/")) == "This invitation was declined."

    def test_but_a_players_invitation_only_the_player_declines(self, client, asked):
        response = client.post(f"/i/{asked.token}/", {"answer": "decline"}, follow=True)
        assert said(response) == ["This invitation is for somebody else."]
        asked.refresh_from_db()
        assert asked.answer == Answer.PENDING

    def test_accepting_without_an_account_leads_to_sign_in_and_back(self, client, mailed):
        response = client.post(f"/i/{mailed.token}/", {"answer": "accept"})
        assert response.url == f"/account/login/?next=/i/{mailed.token}/"

    def test_whoever_has_the_mail_may_take_the_seat(self, mailed):
        zoe = make_player("Zoe")
        at_the_door(zoe).post(f"/i/{mailed.token}/", {"answer": "accept"})
        assert mailed.game.seats.filter(player=zoe).exists()

    def test_the_wrong_player_is_told_so(self, asked):
        zoe = at_the_door(make_player("Zoe"))
        response = zoe.get(f"/i/{asked.token}/")
        assert told(response) == "This invitation is for Bruno, and you are signed in as Zoe."
        assert Page(response).link("Sign out") == f"/account/logout/?next=/i/{asked.token}/"
        assert buttons(response) == []
        response = zoe.post(f"/i/{asked.token}/", {"answer": "accept"}, follow=True)
        assert said(response) == ["This invitation is for somebody else."]
        assert not asked.game.seats.filter(player__username="Zoe").exists()

    def test_one_that_was_withdrawn(self, anna, bruno, asked):
        tables.withdraw_invitation(invitation_id=asked.pk, player=anna, now=NOW)
        browser = at_the_door(bruno)
        assert told(browser.get(f"/i/{asked.token}/")) == "This invitation was withdrawn."
        response = browser.post(f"/i/{asked.token}/", {"answer": "accept"}, follow=True)
        assert said(response) == ["This invitation is no longer open."]
        assert not asked.game.seats.filter(player=bruno).exists()

    def test_one_that_another_has_used(self, mailed):
        zoe, yves = make_player("Zoe"), make_player("Yves")
        at_the_door(zoe).post(f"/i/{mailed.token}/", {"answer": "accept"})
        response = at_the_door(yves).get(f"/i/{mailed.token}/")
        assert told(response) == "This invitation has been accepted already."
        assert buttons(response) == [] and not Page(response).mentions("Zoe")

    def test_one_whose_table_ran_out(self, bruno, asked):
        tables.expire(game_id=asked.game_id, now=asked.game.expires + OPEN_FOR)
        assert told(at_the_door(bruno).get(f"/i/{asked.token}/")) == "This invitation has run out."

    def test_an_unknown_token(self, client):
        assert client.get("/i/nothing/").status_code == 404
        assert client.post("/i/nothing/", {"answer": "accept"}).status_code == 404


class TestRematch:
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
        assert said(response) == ["You don't sit at this table."]
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
