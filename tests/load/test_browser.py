"""What the people of the load generator find on the site's own pages."""

import pytest
from django.utils import timezone

from benchmarks.load.browser import Answer, Site
from tests.games.factories import make_game
from tests.games.visitors import HTMX, awaited, url, waiting

pytestmark = pytest.mark.django_db


def answer(response: object) -> Answer:
    return Answer(response.status_code, response.headers, response.content)  # type: ignore[attr-defined]


def test_a_turn_is_put_together_from_what_pages_offer() -> None:
    game = make_game(now=timezone.now())
    client = awaited(game)
    assert answer(client.get("/games/")).links("button whole") == [url(game)]
    board = answer(client.get(url(game)))
    assert board.watch() == f"{url(game)}?since={game.version}.0"
    assert board.form("/talk/") is not None
    marks = board.links("mark")
    assert marks and board.form("/play/", with_field="line") is None
    step = answer(client.get(marks[0], headers=HTMX))
    assert step.links("spot")
    form = answer(client.get(step.links("choice")[0], headers=HTMX)).form("/play/", with_field="line")
    assert form is not None
    assert form.address == url(game, "play")
    assert form.fields["version"] == str(game.version)
    assert client.post(form.address, form.fields).status_code == 302


def test_who_waits_finds_nothing_to_send() -> None:
    game = make_game(now=timezone.now())
    client = waiting(game)
    assert answer(client.get("/games/")).links("button whole") == []
    assert answer(client.get(url(game))).links("mark") == []


def test_all_that_is_about_a_game_is_asked_of_one_port_and_anything_else_of_each_by_turns() -> None:
    site = Site(8000, 8001)
    of_games = [
        {
            site.port(f"/g/game{number}/"),
            site.port(f"/g/game{number}/play/"),
            site.port(f"/desk/g/game{number}/"),
        }
        for number in range(30)
    ]
    assert all(len(ports) == 1 for ports in of_games)
    assert set.union(*of_games) == {8000, 8001}
    assert [site.port("/lobby/") for _ in range(4)] == [8000, 8001, 8000, 8001]
