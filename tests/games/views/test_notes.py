"""Private notes: kept for one pair of eyes, and lost by no second window."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services import close_account
from games.models import Game, Note
from tests.games.factories import make_player, play_turns
from tests.games.visitors import awaited, begun, signed_in, text, url, waiting

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "note"}


@pytest.fixture
def game() -> Game:
    return begun()


def write(client: Client, game: Game, said: str, revision: int = 0, **more: Any) -> Any:
    return client.post(url(game, "notes"), {"text": said, "revision": revision, **more})


def test_a_note_stands_on_the_board_and_is_nobody_else_s(game: Game) -> None:
    client = awaited(game)
    assert write(client, game, "Keep the <city> for Bruno").url == url(game)
    assert "Keep the &lt;city&gt; for Bruno" in client.get(url(game)).content.decode()
    for other in (waiting(game), Client()):
        assert "for Bruno" not in text(other.get(url(game)))
    assert "for Bruno" not in text(waiting(game).get(url(game, "notes")))


def test_removing_a_note_twice_is_removing_it(game: Game) -> None:
    client, nothing = awaited(game), {"text": "", "revision": 1}
    write(client, game, "Keep")
    for _ in range(2):
        assert "Your note is kept." in text(client.post(url(game, "notes"), nothing, headers=HTMX))
    assert not Note.objects.exists()


def test_strangers_have_no_notes(game: Game) -> None:
    assert "note-text" not in text(Client().get(url(game)))
    assert "/account/login/" in Client().get(url(game, "notes")).url


def test_spectators_have_notes_of_their_own(game: Game) -> None:
    make_player("Zoe")
    write(signed_in("Zoe"), game, "Well played", ply=0)
    assert "Well played" in text(signed_in("Zoe").get(url(game, "ply", 0)))


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
    assert "A bold move" in text(client.get(url(game, "ply", 2)))
    assert "A bold move" not in text(client.get(url(game, "ply", 1)))
    page = text(client.get(url(game, "notes")))
    assert page.index("In general") < page.index("A bold move")


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
    page = text(response)
    assert response.status_code == 409 and "Another window" in page
    assert "From the first window" in page and "From the second window" in page
    assert Note.objects.get().text == "From the first window"
    # Having seen it, the player may keep the other text.
    write(client, game, "From the second window", revision=1)
    assert Note.objects.get().text == "From the second window"


def test_htmx_gets_the_form_alone_and_hears_what_is_wrong(game: Game) -> None:
    client = awaited(game)
    kept = client.post(url(game, "notes"), {"text": "Mine", "revision": 0}, headers=HTMX)
    assert text(kept).lstrip().startswith("<form") and "Your note is kept." in text(kept)
    refused = client.post(url(game, "notes"), {"text": "x" * 5000, "revision": 1}, headers=HTMX)
    assert "at most 4000" in text(refused) and "x" * 5000 in text(refused)
    assert Note.objects.get().text == "Mine"


@pytest.mark.parametrize("ply", ["99", "-1", "x", "9" * 30])
def test_a_ply_that_is_not_there_is_refused(game: Game, ply: str) -> None:
    response = write(awaited(game), game, "Hm", ply=ply)
    assert response.status_code == 409 and "Hm" in text(response)
    assert not Note.objects.exists()


def test_closing_the_account_removes_the_notes(game: Game) -> None:
    write(waiting(game), game, "Gone with me")
    write(awaited(game), game, "I stay")
    player = game.seats.exclude(index=game.awaited).get().player
    close_account(player=player, now=timezone.now())
    assert [note.text for note in Note.objects.all()] == ["I stay"]
