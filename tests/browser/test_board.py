"""The board's page in a browser: accessible in every state and scheme, by keyboard alone, on a phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games import play, positions, tables
from games.models import Game
from tests.games.factories import heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), 24, now=timezone.now())
    anna = game.seats.get(player__username="Anna").player
    tables.say(game_id=game.pk, player=anna, text="Hello", now=timezone.now())
    return game


def sign_in(page: Page, site: LiveServer, player: Player) -> None:
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": str(session.session_key), "url": site.url}]
    )


def address(site: LiveServer, game: Game, name: str = "table", *args: int) -> str:
    return site.url + reverse(f"games:{name}", args=[game.code, *args])


def awaited(game: Game) -> Player:
    player = game.seats.get(index=game.awaited).player
    assert player is not None
    return player


def a_turn(game: Game) -> str:
    """The query of a turn that is ready to be sent, with a meeple where one may stand."""
    legal = list(positions.position(game).legal_actions())
    action = next((one for one in legal if one.figure), legal[0])
    query = f"?at={action.x},{action.y}&r={action.rotation}"
    if action.figure is None:
        return f"{query}&on=none"
    return f"{query}&on={action.figure.on}" + (f"&side={action.figure.side}" if action.figure.side else "")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_of_the_page_is_accessible(
    page: Page, live_server: LiveServer, game: Game, scheme: str
) -> None:
    ended = play_turns(make_game(now=timezone.now()), now=timezone.now())
    play.score(game_id=ended.pk, now=timezone.now())
    waiting = game.seats.exclude(index=game.awaited).first().player
    page.emulate_media(color_scheme=scheme)
    for player, url in [
        (awaited(game), address(live_server, game)),
        (awaited(game), address(live_server, game) + a_turn(game)),
        (awaited(game), address(live_server, game) + "?at=0,0"),
        (waiting, address(live_server, game)),
        (waiting, address(live_server, game, "resign")),
        (waiting, address(live_server, game, "ply", 7)),
        (waiting, address(live_server, game, "scores")),
        (waiting, address(live_server, game, "talk")),
        (ended.host, address(live_server, ended)),
    ]:
        sign_in(page, live_server, player)
        page.goto(url)
        for summary in page.locator("details > summary").all():
            summary.click()
        found = Axe().run(page)
        assert found.violations_count == 0, f"{url}, {scheme}\n{found.generate_report()}"


def test_a_turn_by_keyboard_alone(page: Page, live_server: LiveServer, game: Game) -> None:
    sign_in(page, live_server, awaited(game))
    page.goto(address(live_server, game))
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('mark')"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".composer")).to_be_visible()
    expect(page.locator("#turn")).to_be_focused()
    expect(page.locator("#announce")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(page.locator(".composer")).to_have_count(0)
    page.locator("svg.layer a.mark").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".composer")).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('choice')"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#send")).to_be_visible()
    page.locator("#send").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your turn is played.")).to_be_visible()
    game.refresh_from_db()
    assert game.ply == 25


def test_on_a_small_phone_marks_and_spots_can_be_tapped(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    sign_in(page, live_server, awaited(game))
    page.goto(address(live_server, game) + a_turn(game))
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    for links in ("svg.layer a.mark", ".choice", "#send", ".steps a"):
        for link in page.locator(links).all():
            box = link.bounding_box()
            assert box is not None and min(box["width"], box["height"]) >= 32, (links, box)


def test_the_board_stays_where_it_was(page: Page, live_server: LiveServer, game: Game) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    sign_in(page, live_server, awaited(game))
    page.goto(address(live_server, game))
    for _ in range(6):
        page.get_by_role("button", name="Larger").click()
    frame = page.locator("#frame")
    frame.evaluate("frame => { frame.scrollLeft = 40; frame.scrollTop = 20; }")
    seen = frame.evaluate("frame => [frame.scrollWidth, frame.scrollLeft, frame.scrollTop]")
    assert seen[1:] == [40, 20]
    page.wait_for_timeout(100)
    page.reload()
    assert frame.evaluate("frame => [frame.scrollWidth, frame.scrollLeft, frame.scrollTop]") == seen
    mark = page.locator("svg.layer a.mark").first
    mark.evaluate("mark => mark.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
    expect(page.locator(".composer")).to_be_visible()
    assert frame.evaluate("frame => [frame.scrollWidth, frame.scrollLeft, frame.scrollTop]") == seen


def test_who_waits_is_shown_the_new_move(page: Page, live_server: LiveServer, game: Game) -> None:
    waiting = next(
        seat.player for seat in game.seats.order_by("index") if seat.index == (game.awaited + 1) % 3
    )
    sign_in(page, live_server, waiting)
    page.goto(address(live_server, game))
    page.locator("#text").fill("half a sentence")
    play_turns(game, 1, now=timezone.now())
    page.evaluate("htmx.trigger('#watch', 'look')")
    expect(page.locator(".headline").first).to_contain_text("It is your turn.")
    expect(page.locator("#announce")).to_have_text("It is your turn.")
    expect(page.locator("svg.layer a.mark").first).to_be_visible()
    expect(page.locator("#text")).to_have_value("half a sentence")
    expect(page).to_have_title(f"It is your turn. {game.name}")


def test_a_site_that_does_not_answer_loses_nothing(page: Page, live_server: LiveServer, game: Game) -> None:
    sign_in(page, live_server, awaited(game))
    page.goto(address(live_server, game) + a_turn(game))
    page.context.set_offline(True)
    page.locator("#send").click()
    expect(page.locator("#trouble")).to_be_visible()
    page.context.set_offline(False)
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.")).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()
