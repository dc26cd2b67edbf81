"""Tests of private notes: visible to their author alone, and not overwritten by a second window."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services import close_account
from games.models import Game, Note
from tests.games.factories import make_player, play_turns
from tests.games.visitors import awaited, begun, signed_in, url, waiting
from tests.html import Page

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "note"}


@pytest.fixture
def game() -> Game:
    return begun()


def write(client: Client, game: Game, said: str, revision: int = 0, **more: Any) -> Any:
    return client.post(url(game, "notes"), {"text": said, "revision": revision, **more})


def noted(response: Any) -> list[str]:
    """The notes on a page."""
    return Page(response).texts("textarea[name=text][id^=note]")


def test_a_note_stands_on_the_board_and_is_nobody_else_s(game: Game) -> None:
    client = awaited(game)
    assert write(client, game, "Keep the <city> for Bruno").url == url(game)
    assert noted(client.get(url(game))) == ["Keep the <city> for Bruno"]
    assert noted(waiting(game).get(url(game))) == [""]
    assert noted(Client().get(url(game))) == []
    for other in (
        waiting(game).get(url(game)),
        Client().get(url(game)),
        waiting(game).get(url(game, "notes")),
    ):
        assert not Page(other).mentions("for Bruno")


def test_removing_a_note_twice_is_removing_it(game: Game) -> None:
    client, nothing = awaited(game), {"text": "", "revision": 1}
    write(client, game, "Keep")
    for _ in range(2):
        page = Page(client.post(url(game, "notes"), nothing, headers=HTMX))
        assert page.text("form [role=status]") == "Your note is saved."
    assert not Note.objects.exists()


def test_strangers_have_no_notes(game: Game) -> None:
    page = Page(Client().get(url(game)))
    assert page.has("#table") and not page.has("textarea")
    assert "/account/login/" in Client().get(url(game, "notes")).url


def test_spectators_have_notes_of_their_own(game: Game) -> None:
    make_player("Zoe")
    write(signed_in("Zoe"), game, "Well played", ply=0)
    assert noted(signed_in("Zoe").get(url(game, "ply", 0))) == ["Well played"]


def test_nobody_notes_anything_about_a_private_game_of_others(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(visibility="private")
    make_player("Zoe")
    assert write(signed_in("Zoe"), game, "Hm").status_code == 404
    assert not Note.objects.exists()


def test_each_ply_has_a_note_and_all_stand_on_one_page(game: Game) -> None:
    play_turns(game, 2, now=timezone.now())
    client = awaited(game)
    assert write(client, game, "A bold move", ply=2).url == url(game, "ply", 2)
    write(client, game, "In general")
    assert noted(client.get(url(game, "ply", 2))) == ["A bold move"]
    assert noted(client.get(url(game, "ply", 1))) == [""]
    page = Page(client.get(url(game, "notes")))
    assert page.texts("section .said") == ["In general", "A bold move"]


def test_an_empty_text_removes_the_note(game: Game) -> None:
    client = awaited(game)
    write(client, game, "Wrong")
    write(client, game, " ", revision=1)
    assert not Note.objects.exists()


def test_a_second_click_changes_nothing(game: Game) -> None:
    client = awaited(game)
    write(client, game, "Once")
    assert write(client, game, "Once").status_code == 302
    assert Note.objects.get().revision == 1


def test_a_second_window_does_not_overwrite_what_it_has_not_shown(game: Game) -> None:
    client = awaited(game)
    write(client, game, "From the first window")
    response = write(client, game, "From the second window")
    page = Page(response)
    assert response.status_code == 409
    assert page.text("form [role=alert]").startswith("You've changed this note in another window.")
    assert noted(response) == ["From the second window"]
    assert page.text("form blockquote") == "From the first window"
    assert Note.objects.get().text == "From the first window"
    # Having seen it, the player may keep the other text.
    write(client, game, "From the second window", revision=1)
    assert Note.objects.get().text == "From the second window"


def test_htmx_gets_the_form_alone_and_hears_what_is_wrong(game: Game) -> None:
    client = awaited(game)
    kept = client.post(url(game, "notes"), {"text": "Mine", "revision": 0}, headers=HTMX)
    assert Page(kept).roots() == ["form#note"]
    assert Page(kept).text("form [role=status]") == "Your note is saved."
    refused = client.post(url(game, "notes"), {"text": "x" * 5000, "revision": 1}, headers=HTMX)
    assert Page(refused).text("form [role=alert]") == "A note can have at most 4000 characters."
    assert noted(refused) == ["x" * 5000]
    assert Note.objects.get().text == "Mine"


@pytest.mark.parametrize("ply", ["99", "-1", "x", "9" * 30])
def test_a_ply_that_is_not_there_is_refused(game: Game, ply: str) -> None:
    response = write(awaited(game), game, "Hm", ply=ply)
    assert response.status_code == 409 and noted(response) == ["Hm"]
    assert not Note.objects.exists()


def test_closing_the_account_removes_the_notes(game: Game) -> None:
    write(waiting(game), game, "Gone with me")
    write(awaited(game), game, "I stay")
    player = game.seats.exclude(index=game.awaited).get().player
    close_account(player=player, now=timezone.now())
    assert [note.text for note in Note.objects.all()] == ["I stay"]
