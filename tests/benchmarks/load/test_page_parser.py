"""Tests of the load tests' page parser on the site's own pages."""

import pytest
from django.utils import timezone

from benchmarks.load.page_parser import find_form, find_links, find_watch
from tests.games.factories import make_game
from tests.games.visitors import HTMX, awaited, url, waiting

pytestmark = pytest.mark.django_db


def test_a_turn_is_put_together_from_what_pages_offer() -> None:
    game = make_game(now=timezone.now())
    client = awaited(game)
    assert find_links(client.get("/games/").content, "button whole") == [url(game)]
    board = client.get(url(game)).content
    assert find_watch(board) == f"{url(game)}?since={game.version}.0&as=0"
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
