"""Inviting and being invited, through the pages."""

import pytest

from accounts.models import Player
from games import tables
from games.models import Answer, Invitation
from games.tables.setup import OPEN_FOR
from tests.games.factories import (
    NOW,
    make_player,
    make_players,
    make_table,
    sign_up_only,
)
from tests.html import Page

from .at_tables import at_the_door, buttons, missing, said

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return make_players(1)[0]


@pytest.fixture
def bruno(anna) -> Player:
    return make_players(2)[1]


class TestInviting:
    def test_by_name_and_by_address(self, anna, bruno):
        table = make_table(seats=4)
        response = at_the_door(anna).post(
            f"/g/{table.code}/invite/", {"who": "@Bruno guest@example.com"}, follow=True
        )
        assert said(response) == ["Bruno has been invited.", "guest@example.com has been invited."]
        assert table.invitations.filter(answer=Answer.PENDING).count() == 2

    @pytest.mark.parametrize(
        ("who", "message"),
        [
            ("", "This field is required."),
            (" , ", "Enter a player's name"),
            ("Nobody", "There is no player called Nobody."),
            ("Anna", "Anna: This player is already at the table."),
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
        assert said(response) == ["a@example.com: You're not at this table."]
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
    """The note about an invitation."""
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
        assert page.text("h1") == "Anna has invited you to a game"
        (time,) = page.texts(".settings dt:-soup-contains('Time') + dd")
        assert time.startswith("2 days a move; ")
        back = f"?next=%2Fi%2F{asked.token}%2F"
        assert page.links(".card a.button") == [f"/account/signup/{back}", f"/account/login/{back}"]

    def test_shows_which_seats_are_taken_and_which_are_not(self, client, mailed):
        seats = Page(client.get(f"/i/{mailed.token}/")).texts(".seat")
        assert seats == ["Anna", "reserved for a guest"]
        other = make_table(seats=3)
        asked = tables.invite(game_id=other.pk, inviter=other.host, address="x@example.com", now=NOW)
        seats = Page(client.get(f"/i/{asked.token}/")).texts(".seat")
        assert sorted(seats) == ["Anna", "free seat", "reserved for a guest"]

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
        assert said(response)[0].startswith("You've declined,")
        mailed.refresh_from_db()
        assert mailed.answer == Answer.DECLINED
        assert told(client.get(f"/i/{mailed.token}/")) == "This invitation has been declined."

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
        assert told(browser.get(f"/i/{asked.token}/")) == "This invitation has been cancelled."
        response = browser.post(f"/i/{asked.token}/", {"answer": "accept"}, follow=True)
        assert said(response) == ["This invitation is no longer open."]
        assert not asked.game.seats.filter(player=bruno).exists()

    def test_one_that_another_has_used(self, mailed):
        zoe, yves = make_player("Zoe"), make_player("Yves")
        at_the_door(zoe).post(f"/i/{mailed.token}/", {"answer": "accept"})
        response = at_the_door(yves).get(f"/i/{mailed.token}/")
        assert told(response) == "This invitation has already been accepted."
        assert buttons(response) == [] and not Page(response).mentions("Zoe")

    def test_one_whose_table_ran_out(self, bruno, asked):
        tables.expire(game_id=asked.game_id, now=asked.game.expires + OPEN_FOR)
        assert told(at_the_door(bruno).get(f"/i/{asked.token}/")) == "This invitation has expired."

    def test_an_unknown_token(self, client):
        assert client.get("/i/nothing/").status_code == 404
        assert client.post("/i/nothing/", {"answer": "accept"}).status_code == 404
