"""Tests of turns that were kept on a device: they come back in the board's URL, and are checked again."""

from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.play import positions
from games.rules.notation import write
from tests.games.factories import make_player, play_turns
from tests.games.play.decision_helpers import make_entering_game
from tests.games.visitors import awaited, begun, first_line, send, url, waiting
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return begun()


def look(client: Client, game: Game, line: str, version: object) -> Page:
    response: Any = client.get(url(game), {"line": line, "version": version})
    assert response.status_code == 200
    return Page(response)


def sent(page: Page) -> list[str]:
    """The turn on the board that waits for "Send", as a line without the tile's name."""
    return [
        line.rpartition("@")[2] for line in page.values("#turn form:has(#send) input[type=hidden][name=line]")
    ]


def refused(page: Page) -> list[str]:
    """The reasons why something was not played."""
    return page.texts("#turn .note.error[role=alert]")


def test_a_turn_that_is_still_legal_stands_on_the_board_and_waits_for_send(game: Game) -> None:
    line = first_line(game)
    page = look(awaited(game), game, line, game.version)
    assert sent(page) == [line] and refused(page) == []
    game.refresh_from_db()
    assert game.ply == 0


def test_what_the_rules_refuse_is_told(game: Game) -> None:
    page = look(awaited(game), game, "7,7 r0", game.version)
    (why,) = refused(page)
    assert why.startswith("The tile must touch") and why.endswith("We didn't play this turn: 7,7 r0")
    assert sent(page) == [] and not page.has("#send")


def test_what_is_no_turn_is_told(game: Game) -> None:
    (why,) = refused(look(awaited(game), game, "hello   there", game.version))
    assert why.startswith("“hello there” isn't a turn")


def test_a_game_that_has_moved_on_is_told_and_nothing_stands_on_the_board(game: Game) -> None:
    line, version, client = first_line(game), game.version, awaited(game)
    game = play_turns(game, 2)
    page = look(client, game, "0,7 r0", version)
    assert refused(page) == [
        "The game has moved on since you prepared this turn, so we didn't play it: 0,7 r0"
    ]
    assert sent(page) == [], line


def test_a_turn_that_arrived_although_the_answer_was_lost_counts_as_played(game: Game) -> None:
    line, version, client = first_line(game), game.version, awaited(game)
    send(client, game, line)
    page = look(client, Game.objects.get(pk=game.pk), line, version)
    # The mark lets the device forget it.
    assert page.text("#played") == f"This turn has already been played: {line}"


def test_of_those_who_wait_it_is_not_the_turn(game: Game) -> None:
    line = first_line(game)
    page = look(waiting(game), game, line, game.version)
    assert refused(page) == [f"It is not your turn. We didn't play this turn: {line}"]


def test_strangers_see_the_board_and_no_word_of_it(game: Game) -> None:
    client = Client()
    client.force_login(make_player("Zoe"))
    for visitor in (client, Client()):
        page = look(visitor, game, "7,7 r0", game.version)
        assert page.has("#board-map") and refused(page) == []
        assert not page.mentions("7,7 r0")


@pytest.mark.parametrize("version", ["", "-1", "9" * 5000, "٣²"])
@pytest.mark.parametrize("line", ["", "pass", "\x00<b>", "3,-1 r90 city N" * 40])
def test_junk_breaks_nothing(game: Game, line: str, version: str) -> None:
    response = awaited(game).get(url(game), {"line": line, "version": version})
    page = Page(response)
    assert response.status_code == 200 and page.has("#board-map")
    assert not page.has("#turn .note b")


def test_an_answer_comes_back_chosen() -> None:
    game = make_entering_game()
    lines = [write(action) for action in positions.load_position(game).legal_actions()]
    page = look(awaited(game), game, lines[-1], game.version)
    assert page.values("#turn form:has(#send) [name=line]") == [lines[-1]]
    assert refused(page) == []
    (why,) = refused(look(awaited(game), game, "move 1 castle city 9,9 N", game.version))
    assert why.endswith("We didn't play this turn: move 1 castle city 9,9 N")
