"""Tests that a page stays while the database is away, says so, and recovers by itself."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from django.db.backends.utils import CursorWrapper
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from tests.browser.game_helpers import build_game_url, build_turn_query, get_awaited_player
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game, make_players, play_turns

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.provokes("503", "ERR_", "htmx:sendError", "htmx:responseError", "Response Status Error"),
]

Outage = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def database_away(monkeypatch: pytest.MonkeyPatch) -> Outage:
    """A context in which every query of every thread fails as without a database."""

    def fail(*args: Any, **options: Any) -> None:
        cause = psycopg.OperationalError("server closed the connection unexpectedly")
        raise OperationalError(*cause.args) from cause

    @contextmanager
    def outage() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr(CursorWrapper, "_execute_with_wrappers", fail)
            yield

    return outage


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    return play_turns(make_game(seats=3, now=timezone.now()), 12, now=timezone.now())


def test_a_turn_that_could_not_be_taken_stays_as_it_was_put_together(
    page: Page, live_server: LiveServer, game: Game, database_away: Outage
) -> None:
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game) + build_turn_query(game))
    with database_away():
        with page.expect_response(lambda one: one.request.method == "POST") as answer:
            page.locator("#send").click()
        assert answer.value.status == 503
        expect(page.locator("#trouble")).to_be_visible()
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()


def test_what_was_typed_stays(page: Page, live_server: LiveServer, game: Game, database_away: Outage) -> None:
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game))
    page.locator(".tabs a", has_text="Talk").click()
    page.locator("#text").fill("a sentence")
    with database_away():
        page.locator("#text").evaluate("field => field.form.requestSubmit()")
        expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator("#text")).to_have_value("a sentence")


@pytest.mark.browser_context_args()  # of its own: a clock stays in a context
def test_looking_for_news_fails_quietly_and_goes_on(
    page: Page, live_server: LiveServer, game: Game, database_away: Outage
) -> None:
    waiting = game.seats.get(index=(game.awaited + 1) % 3).player
    assert waiting is not None
    sign_in(page, live_server, waiting)
    page.clock.install()
    page.goto(build_game_url(live_server, game))

    def ask_until(status: int) -> None:
        """Let five minutes pass, in which the page polls more than once, as an older poll may come first."""
        with page.expect_response(lambda one: "since=" in one.url and one.status == status):
            page.clock.run_for("05:00")

    with database_away():
        ask_until(503)
        expect(page.locator("#trouble")).to_be_hidden()
    play_turns(game, 1, now=timezone.now())
    ask_until(200)
    expect(page.locator(".headline").first).to_contain_text("Your turn")


def test_a_search_that_got_no_answer_says_so_and_keeps_its_words(
    page: Page, live_server: LiveServer, database_away: Outage
) -> None:
    sign_in(page, live_server, make_players(1)[0])
    page.goto(f"{live_server.url}/players/")
    field = page.locator("form[role=search] [name=q]")
    field.fill("Ann")
    with database_away():
        field.press("Enter")
        expect(page.locator("#trouble")).to_be_visible()
    expect(field).to_have_value("Ann")
    field.press("Enter")
    expect(page.locator("#found")).to_contain_text("Anna")
    expect(page.locator("#trouble")).to_be_hidden()
