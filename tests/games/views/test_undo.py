"""Undoing a turn on the page of a game, and taking turns back by consent."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import access, play
from games.models import Game
from tests.games.views.at_tables import said
from tests.games.visitors import begun, first_line, send, signed_in, url
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = begun()
    Player.objects.update(undo_seconds=30)
    return game


def played(game: Game) -> Client:
    """Play a turn as Anna, and return her client."""
    anna = signed_in("Anna")
    send(anna, game, first_line(game))
    game.refresh_from_db()
    assert game.settles is not None
    return anna


def buttons(answer: Any) -> list[str]:
    return Page(answer).texts(".at-hand button")


def test_the_page_after_a_turn_offers_to_undo_it(game: Game) -> None:
    anna = played(game)
    for page in ("table", "text"):
        response = anna.get(url(game, page))
        assert buttons(response) == ["Undo"]
        assert Page(response).text(".at-hand p").startswith("You can undo your turn for 30 seconds")
    response = anna.post(url(game, "undo"), follow=True)
    assert said(response) == ["Turn undone."]
    assert Page(response).has("#turn.mine")
    game.refresh_from_db()
    assert (game.awaited, game.ply) == (0, 0)
    told = Page(signed_in("Bruno").get(url(game))).texts(".told li")
    assert any("Anna undid a turn." in line for line in told)


@pytest.mark.parametrize("page", ["table", "text", "features", "scores", "svg", "record", "talk"])
def test_whatever_the_next_player_opens_of_the_game_lets_the_turn_stand(game: Game, page: str) -> None:
    anna = played(game)
    assert signed_in("Bruno").get(url(game, page)).status_code == 200
    game.refresh_from_db()
    assert (game.settles, game.awaited) == (None, 1)
    assert buttons(anna.get(url(game))) == []
    refused = said(anna.post(url(game, "undo"), follow=True))
    assert refused == ["It's too late to undo this turn on your own. You can ask the other players."]


def test_the_next_player_has_a_tile_at_the_first_look(game: Game) -> None:
    played(game)
    assert Page(signed_in("Bruno").get(url(game))).has("#turn.mine")


def test_a_look_at_the_moment_when_another_look_lets_the_turn_stand_shows_the_tile(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(game)
    original = access.get_game_or_404

    def found_just_before(*asked: Any) -> Game:
        held = original(*asked)
        play.settle(game_id=held.pk, now=timezone.now(), seen_by=1)
        return held

    bruno = signed_in("Bruno")
    monkeypatch.setattr(access, "get_game_or_404", found_just_before)
    assert Page(bruno.get(url(game))).has("#turn.mine")


def test_a_list_with_the_game_lets_it_stand_and_the_count_before_tells_nothing(game: Game) -> None:
    played(game)
    bruno = signed_in("Bruno")
    assert "(1)" not in Page(bruno.get("/rules/")).text("head > title")
    game.refresh_from_db()
    assert game.settles is not None
    assert Page(bruno.get("/games/")).has(".rows .my-turn")
    game.refresh_from_db()
    assert game.settles is None


def test_strangers_and_the_mover_may_look(game: Game) -> None:
    anna = played(game)
    for client in (anna, Client()):
        page = Page(client.get(url(game)))
        assert page.text(".table-head strong") == "It's Bruno's turn."
        assert not page.has("#turn.mine")
    anna.get("/games/")
    game.refresh_from_db()
    assert game.settles is not None


def test_when_the_window_is_over_the_button_is_gone(game: Game) -> None:
    anna = played(game)
    with time_machine.travel(timezone.now() + timedelta(seconds=31), tick=False):
        assert buttons(anna.get(url(game))) == []
        assert said(anna.post(url(game, "undo"), follow=True))[0].startswith("It's too late")


def test_who_wants_no_window_has_none(game: Game) -> None:
    Player.objects.update(undo_seconds=0)
    anna = signed_in("Anna")
    send(anna, game, first_line(game))
    game.refresh_from_db()
    assert (game.settles, game.awaited) == (None, 1)
    assert buttons(anna.get(url(game))) == []


def test_a_window_of_120_seconds_is_the_longest() -> None:
    begun()
    anna = signed_in("Anna")
    fields = {"language": "en", "time_zone": "UTC", "theme": "device"}
    for seconds, kept in ((120, 120), (121, 120), (0, 0)):
        anna.post("/account/settings/", fields | {"undo_seconds": seconds})
        assert Player.objects.get(username="Anna").undo_seconds == kept


def test_later_the_table_is_asked(game: Game) -> None:
    played(game)
    signed_in("Bruno").get(url(game))
    anna = signed_in("Anna")
    assert "Ask to undo my turn" in Page(anna.get(url(game, "offers"))).texts("button")
    assert said(anna.post(url(game, "offers"), {"kind": "undo"}, follow=True)) == ["We've asked the others."]
    bruno = signed_in("Bruno")
    page = Page(bruno.get(url(game)))
    assert page.text(".at-hand strong") == "Anna asked to undo the last turn."
    bruno.post(url(game, "answer", game.offers.get().pk, "agree"))
    game.refresh_from_db()
    assert (game.awaited, game.ply) == (0, 0)
    assert Page(anna.get(url(game))).has("#turn.mine")
