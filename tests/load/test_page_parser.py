"""What the users of the load tests find on the site's own pages, and whom they ask."""

import pytest
from django.utils import timezone

from benchmarks.load.page_parser import find_form, find_links, find_watch
from benchmarks.load.swarm import choose_port
from tests.games.factories import make_game
from tests.games.visitors import HTMX, awaited, url, waiting

pytestmark = pytest.mark.django_db
PARTS = (("", ""), ("", "play/"), ("/desk", ""))


def test_a_turn_is_put_together_from_what_pages_offer() -> None:
    game = make_game(now=timezone.now())
    client = awaited(game)
    assert find_links(client.get("/games/").content, "button whole") == [url(game)]
    board = client.get(url(game)).content
    assert find_watch(board) == f"{url(game)}?since={game.version}.0"
    assert find_form(board, "/talk/") is not None
    marks = find_links(board, "mark")
    assert marks and find_form(board, "/play/", with_field="line") is None
    step = client.get(marks[0], headers=HTMX).content
    assert find_links(step, "spot")
    after = client.get(find_links(step, "choice")[0], headers=HTMX).content
    form = find_form(after, "/play/", with_field="line")
    assert form is not None
    assert form.address == url(game, "play")
    assert form.fields["version"] == str(game.version)
    assert client.post(form.address, form.fields).status_code == 302


def test_who_waits_finds_nothing_to_send() -> None:
    game = make_game(now=timezone.now())
    client = waiting(game)
    assert find_links(client.get("/games/").content, "button whole") == []
    assert find_links(client.get(url(game)).content, "mark") == []


def test_all_that_is_about_a_game_is_asked_of_one_port_and_anything_else_of_any() -> None:
    ports = 8000, 8001
    of_games = [
        {choose_port(f"{before}/g/game{number}/{part}", ports) for before, part in PARTS}
        for number in range(30)
    ]
    assert all(len(ports) == 1 for ports in of_games)
    assert set.union(*of_games) == {8000, 8001}
    assert {choose_port("/lobby/", ports) for _ in range(100)} == {8000, 8001}
