"""Tests of the checks before every act at a table: sign-in, POST, and the response to refusals."""

import pytest
from django.test import Client

from games.models import Game
from tests.games.factories import make_player, make_table
from tests.games.visitors import signed_in, url
from tests.html import Page

pytestmark = pytest.mark.django_db

ACTS = ("sit", "leave", "cancel", "add_bot", "invite", "rematch", "play", "transfers")


@pytest.fixture
def table() -> Game:
    make_player("Bruno")
    return make_table(seats=3)


@pytest.mark.parametrize("act", [*ACTS, "resign", "talk"])
def test_strangers_sign_in_first_and_come_back_to_the_table(table: Game, act: str) -> None:
    response = Client().post(url(table, act))
    assert response.status_code == 302
    assert response.url == f"/account/login/?next={url(table)}"
    in_place = Client().post(url(table, act), headers={"HX-Request": "true"})
    assert in_place["HX-Redirect"] == response.url


@pytest.mark.parametrize("act", [*ACTS, "resign", "talk"])
def test_a_private_table_is_not_there_for_strangers(act: str) -> None:
    private = make_table(seats=3, visibility="private")
    assert Client().post(url(private, act)).status_code == 404


@pytest.mark.parametrize("act", ACTS)
def test_a_link_does_nothing_and_shows_the_table(table: Game, act: str) -> None:
    response = signed_in("Anna").get(url(table, act))
    assert (response.status_code, response.url) == (302, url(table))
    table.refresh_from_db()
    assert (table.status, table.seats.exclude(player=None).count()) == ("open", 1)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        ("leave", "You're not at this table."),
        ("cancel", "Only the player who set up the table can do this."),
        ("add_bot", "Only the player who set up the table can do this."),
        ("rematch", "You're not at this table."),
        ("resign", "You're not at this table."),
    ],
)
def test_the_table_says_what_was_refused(table: Game, act: str, why: str) -> None:
    response = signed_in("Bruno").post(url(table, act), {"sure": "yes"}, follow=True)
    assert response.redirect_chain[-1][0] == url(table)
    assert Page(response).texts("#messages .message") == [why]
