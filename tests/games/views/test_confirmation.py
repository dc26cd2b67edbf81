"""Tests of the page that confirms what can't be undone; nothing changes before the answer."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from games import play
from games.models import Game, Proposal, Status
from tests.games.factories import heart_beats, make_game, make_table
from tests.games.visitors import signed_in, url
from tests.html import Page

pytestmark = pytest.mark.django_db


def running() -> Game:
    heart_beats(timezone.now())
    return make_game(now=timezone.now())


def with_an_end_proposed() -> Game:
    game = running()
    play.propose(game_id=game.pk, seat=0, kind=Proposal.END, now=timezone.now())
    return game


def answer_to_offer(game: Game) -> str:
    return url(game, "answer", game.offers.get().pk, "agree")


@pytest.mark.parametrize(
    ("make", "address", "who", "ending"),
    [
        (running, lambda game: url(game, "abort"), "Bruno", "stopped"),
        (running, lambda game: url(game, "resign"), "Bruno", "resigned"),
        (
            with_an_end_proposed,
            lambda game: url(game, "answer", game.offers.get().pk, "agree"),
            "Bruno",
            "agreed",
        ),
        (lambda: make_table(seats=3), lambda game: url(game, "cancel"), "Anna", "cancelled"),
    ],
    ids=["ending early", "resigning", "agreeing to an end", "cancelling"],
)
def test_asks_once(make: Callable[[], Game], address: Callable[[Game], str], who: str, ending: str) -> None:
    game = make()
    client, asked = signed_in(who), address(game)
    page = Page(client.post(asked))
    assert page.text(".card > p").endswith("You can't undo this.")
    game.refresh_from_db()
    assert not game.ending
    sure = page.one("form button.danger")
    client.post(asked, {sure["name"]: sure["value"]})
    game.refresh_from_db()
    assert game.ending == ending


def test_a_proposal_of_something_else_is_agreed_to_at_once() -> None:
    game = running()
    until = timezone.now() + timedelta(days=3)
    play.propose(game_id=game.pk, seat=0, kind=Proposal.PAUSE, until=until, now=timezone.now())
    signed_in("Bruno").post(answer_to_offer(game))
    game.refresh_from_db()
    assert game.status == Status.PLAYING and game.offers.get().outcome == "agreed"


def test_what_was_sent_with_the_first_click_goes_with_the_second() -> None:
    table = make_table(seats=3)
    page = Page(signed_in("Anna").post(url(table, "cancel"), {"why": '"><b>'}))
    assert page.values("form [name=why]") == ['"><b>']
    assert not page.has("form b")
