"""A turn that was kept on a device comes back in the address of the board, and is checked anew."""

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.play import positions
from games.rules.notation import write
from tests.games.factories import make_player, play_turns
from tests.games.play.test_decisions import entering
from tests.games.visitors import awaited, begun, first_line, send, text, url, waiting

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return begun()


def look(client: Client, game: Game, line: str, version: object) -> str:
    response: Any = client.get(url(game), {"line": line, "version": version})
    assert response.status_code == 200
    return text(response)


def sends(page: str, line: str) -> bool:
    return re.search(rf'name="line" value="(\S+@)?{re.escape(line)}"', page) is not None


def test_a_turn_that_is_still_legal_stands_on_the_board_and_waits_for_send(game: Game) -> None:
    line = first_line(game)
    page = look(awaited(game), game, line, game.version)
    assert sends(page, line) and 'id="send"' in page
    assert 'class="note error" role="alert">' not in page
    game.refresh_from_db()
    assert game.ply == 0


def test_what_the_rules_refuse_is_told(game: Game) -> None:
    page = look(awaited(game), game, "7,7 r0", game.version)
    assert "This turn was not played: 7,7 r0" in page
    assert "note error" in page and 'id="send"' not in page


def test_what_is_no_turn_is_told(game: Game) -> None:
    assert "“hello there” is no turn" in look(awaited(game), game, "hello   there", game.version)


def test_a_game_that_has_moved_on_is_told_and_nothing_stands_on_the_board(game: Game) -> None:
    line, version, client = first_line(game), game.version, awaited(game)
    game = play_turns(game, 2)
    page = look(client, game, "0,7 r0", version)
    assert "The game has moved on since you put this turn together, so it was not played: 0,7 r0" in page
    assert not sends(page, line)


def test_a_turn_that_arrived_although_the_answer_was_lost_counts_as_played(game: Game) -> None:
    line, version, client = first_line(game), game.version, awaited(game)
    send(client, game, line)
    page = look(client, Game.objects.get(pk=game.pk), line, version)
    assert f"This turn has been played already: {line}" in page
    assert 'id="played"' in page  # which lets the device forget it


def test_of_those_who_wait_it_is_not_the_turn(game: Game) -> None:
    page = look(waiting(game), game, first_line(game), game.version)
    assert "It is not your turn. This turn was not played" in page


def test_strangers_see_the_board_and_no_word_of_it(game: Game) -> None:
    client = Client()
    client.force_login(make_player("Zoe"))
    for visitor in (client, Client()):
        assert "7,7 r0" not in look(visitor, game, "7,7 r0", game.version)


@pytest.mark.parametrize("version", ["", "-1", "9" * 5000, "٣²"])
@pytest.mark.parametrize("line", ["", "pass", "\x00<b>", "3,-1 r90 city N" * 40])
def test_junk_breaks_nothing(game: Game, line: str, version: str) -> None:
    response = awaited(game).get(url(game), {"line": line, "version": version})
    assert response.status_code == 200 and b"<b>" not in response.content


def test_an_answer_comes_back_chosen() -> None:
    game = entering()
    lines = [write(action) for action in positions.position(game).legal_actions()]
    page = look(awaited(game), game, lines[-1], game.version)
    assert f'value="{lines[-1]}" required checked' in page
    assert 'class="note error" role="alert">' not in page
    assert "This turn was not played" in look(awaited(game), game, "move 1 castle city 9,9 N", game.version)
