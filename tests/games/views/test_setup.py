"""Setting up a table, and playing the bot at once, through the pages."""

import pytest

from accounts.models import Player
from games.clocks import PRESETS, Ladder
from games.models import Game, Invitation, Status
from games.tables.setup import TOWNS
from tests.games.factories import (
    NOW,
    make_players,
)
from tests.html import Page

from .at_tables import SETTINGS, at_the_door, missing, said

pytestmark = pytest.mark.django_db


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
        assert page.texts("label:has([name=clock]) b") == ["Relaxed", "Steady", "Brisk", "Classic"]
        assert page.values("[name=clock][checked]") == ["steady"]

    def test_makes_a_table_as_asked(self, anna):
        response = at_the_door(anna).post("/new/", {**SETTINGS, "rated": "on", "colour": "pink"})
        game = Game.objects.get()
        assert response.url == f"/g/{game.code}/"
        assert (game.name, game.places, game.clock) == ("Toulouse", 3, PRESETS["brisk"])
        assert game.ladder == Ladder.usual(3)
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

    def test_the_button_for_bots_plays_the_table_that_was_composed(self, anna):
        sent = {**SETTINGS, "set_count": "on", "rated": "on", "bots": "0", "fill": "bots"}
        at_the_door(anna).post("/new/", sent)
        game = Game.objects.get()
        assert (game.status, game.places, game.seats.exclude(bot="").count()) == ("playing", 3, 2)
        assert (game.rated, game.clock, "count" in game.rules.sets) == (False, PRESETS["brisk"], True)

    def test_the_button_for_bots_keeps_seats_of_those_invited(self, anna, bruno):
        at_the_door(anna).post("/new/", {**SETTINGS, "invite": "Bruno", "fill": "bots"})
        game = Game.objects.get()
        assert (game.status, game.seats.exclude(bot="").count()) == ("open", 1)
        assert game.invitations.get().player == bruno

    def test_the_button_for_bots_says_what_is_wrong(self, anna):
        sent = {**SETTINGS, "seats": "many", "invite": "nobody", "fill": "bots"}
        assert missing(at_the_door(anna).post("/new/", sent), "invite")
        assert not Game.objects.exists()

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"bots": "3"}, "bots can have 2 at most"),
            ({"rated": "on", "bots": "1"}, "Games with a bot can't be rated."),
            ({"seats": "7"}, "Select a valid choice"),
            ({"clock": "blitz"}, "Select a valid choice"),
            ({"visibility": "hidden"}, "Select a valid choice"),
            ({"option_fields": "9"}, "Select a valid choice"),
            ({"name": "x" * 61}, "at most 60 characters"),
            ({"invite": "Nobody"}, "There is no player called Nobody."),
            ({"invite": "a@b"}, "“a@b” is not an email address."),
            ({"invite": "x@y.org " * 200}, "at most 1000 characters"),
            ({"invite": "Anna"}, "You're already at the table"),
            ({"invite": "anna@example.org"}, "You're already at the table"),
            ({"invite": "a@x.org b@x.org c@x.org"}, "There aren't that many free seats."),
            ({"clock_ends": "9999-12-31T23:59"}, "Enter a valid date/time."),
            ({"clock_ends": "0001-01-01T00:00"}, "Enter a valid date/time."),
        ],
    )
    def test_says_what_is_wrong_and_makes_nothing(self, anna, wrong, message):
        response = at_the_door(anna).post("/new/", {**SETTINGS, **wrong})
        assert response.status_code == 200
        (why,) = missing(response, next(iter(wrong)))
        assert message in why
        assert not Game.objects.exists()
        assert not Invitation.objects.exists()

    def test_a_host_without_an_address_invites_by_name(self, anna, bruno):
        Player.objects.filter(pk=anna.pk).update(email="")
        at_the_door(anna).post("/new/", {**SETTINGS, "invite": "Bruno"})
        assert Invitation.objects.get().player == bruno

    def test_numbers_of_thousands_of_digits_are_invalid_choices(self, anna):
        long = {**SETTINGS, "seats": "9" * 5000, "bots": "9" * 5000}
        response = at_the_door(anna).post("/new/rules/", long)
        assert response.status_code == 200

    def test_an_empty_form_says_what_is_missing(self, anna):
        response = at_the_door(anna).post("/new/", {})
        for field in ("seats", "bots", "clock", "visibility", "preset"):
            assert missing(response, field) == ["This field is required."], field
        assert len(Page(response).all(".setup .errorlist li")) == 5

    def test_invites_at_once(self, anna, bruno):
        response = at_the_door(anna).post(
            "/new/", {**SETTINGS, "invite": "bruno, Guest@Example.com"}, follow=True
        )
        asked = {(invitation.player, invitation.address) for invitation in Invitation.objects.all()}
        assert asked == {(bruno, ""), (None, "guest@example.com")}
        assert said(response)[0] == "Bruno has been invited."

    def test_takes_a_line_for_those_who_are_invited(self, anna, bruno):
        door, asked = at_the_door(anna), {**SETTINGS, "invite": "bruno"}
        response = door.post("/new/", {**asked, "greeting": "look at www.example.org"})
        assert missing(response, "greeting") == ["Your message can't contain links."]
        assert not Game.objects.exists()
        door.post("/new/", {**asked, "greeting": "After tea"})
        assert Invitation.objects.get().greeting == "After tea"

    def test_names_whom_it_could_not_invite(self, anna, bruno):
        twice = {**SETTINGS, "invite": "bruno, @Bruno"}
        response = at_the_door(anna).post("/new/", twice, follow=True)
        assert "Bruno: This player has already been invited." in said(response)
        assert Invitation.objects.count() == 1

    def test_does_not_say_whose_address_it_is(self, anna, bruno):
        for mails in ("bruno, bruno@example.org", "bruno, nobody@example.org"):
            response = at_the_door(anna).post("/new/", {**SETTINGS, "invite": mails}, follow=True)
            assert said(response) == ["Bruno has been invited.", f"{mails.split()[1]} has been invited."]
            Game.objects.update(created=NOW)  # the next is no second click

    def test_house_rules_are_folded_and_counted(self, anna):
        page = Page(at_the_door(anna).post("/new/", {**SETTINGS, "bots": "9", "option_fields": "2"}))
        assert page.has("details.house:not([open]) [name=option_fields]")
        page = Page(
            at_the_door(anna).post(
                "/new/", {**SETTINGS, "name": "x" * 61, "option_fields": "2", "purist": "on"}
            )
        )
        assert page.text("details.house > summary") == "House rules 2 changes"

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
