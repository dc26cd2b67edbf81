"""Tests without a network: cached boards, the offline page, and turns that are kept."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.templatetags.static import static
from django.utils import timezone
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from carcassonne import pwa
from games import tables
from games.models import Game, Note
from games.play import positions
from games.rules.notation import write
from tests.browser import axe
from tests.browser.game_helpers import build_game_url, build_turn_query, get_awaited_player
from tests.browser.polling_helpers import wait_until
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game, make_player, play_turns

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # requests without a connection; and styles of axe itself
    pytest.mark.provokes("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "htmx:sendError", "inline style"),
]


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "service_workers": "allow"}


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    return play_turns(make_game(now=timezone.now()), 6, now=timezone.now())


def board(page: Page, site: LiveServer, game: Game, query: str = "") -> None:
    """Open the board of *game*, and wait until the worker is ready."""
    sign_in(page, site, get_awaited_player(game))
    page.goto(build_game_url(site, game) + query)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")


DRAWINGS_ARE_KEPT = """Promise.all(
  [...document.querySelectorAll("use")].map((use) => caches.match(use.href.baseVal.replace(/#.*/, "")))
).then((all) => all.length > 0 && all.every(Boolean))"""
"""Script that returns whether all sprites are cached, though they were loaded before the worker."""


def to_network(page: Page, there: bool) -> None:
    """Go on or off the network; the worker follows a little later than the page."""
    page.context.set_offline(not there)
    for _ in range(100):
        if all(worker.evaluate("navigator.onLine") is there for worker in page.context.service_workers):
            return
        page.wait_for_timeout(50)
    pytest.fail("the worker has not heard of it")


def online(page: Page) -> None:
    to_network(page, True)


def offline(page: Page) -> None:
    to_network(page, False)


def pages(page: Page) -> list[str]:
    paths: list[str] = page.evaluate(
        "caches.open('boards').then(kept => kept.keys())"
        ".then(all => all.map(one => new URL(one.url).pathname))"
    )
    return paths


def test_a_board_is_shown_from_memory_and_any_other_page_says_what_is_the_matter(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    board(page, live_server, game)
    wait_until(page, "caches.match(location.pathname).then(Boolean)")
    wait_until(page, DRAWINGS_ARE_KEPT)
    offline(page)
    page.reload()
    expect(page.locator("#memory")).to_contain_text("this is the board as saved here")
    expect(page.locator("#frame svg").first).to_be_visible()
    page.goto(live_server.url + "/games/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily") != "serif"
    kept = page.locator(".kept-board")
    expect(kept).to_have_count(1)
    expect(kept.locator("time")).not_to_be_empty()
    expect(kept.locator("span")).to_have_text("Your turn")
    kept.get_by_role("link", name=game.name).click()
    expect(page.locator("#memory")).to_be_visible()
    expect(page.locator("#frame svg").first).to_be_visible()
    page.goto(live_server.url + "/games/")
    online(page)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="My games")).to_be_visible()
    assert pages(page) == [f"/g/{game.code}/"]


def test_neither_talk_nor_notes_are_kept(page: Page, live_server: LiveServer, game: Game) -> None:
    """Without a connection nobody knows whether the session has ended elsewhere."""
    player = get_awaited_player(game)
    tables.say(game_id=game.pk, player=player, text="The password is lorem", now=timezone.now())
    Note.objects.create(game=game, player=player, text="My plan is ipsum", at=timezone.now())
    board(page, live_server, game)
    expect(page.locator("#tab-talk")).to_contain_text("lorem")
    wait_until(page, "caches.match(location.pathname).then(Boolean)")
    kept = page.evaluate("caches.match(location.pathname).then((copy) => copy.text())")
    assert 'id="tab-talk"' in kept and "lorem" not in kept and "ipsum" not in kept


def test_drawings_that_come_late_are_kept_too(page: Page, live_server: LiveServer, game: Game) -> None:
    def late(route: Route) -> None:
        page.wait_for_timeout(1500)
        route.continue_()

    page.route(re.compile(r"/games/[a-z]+-[^/]*\.svg"), late)
    board(page, live_server, game)
    wait_until(page, DRAWINGS_ARE_KEPT)


def test_a_turn_put_together_before_the_network_went_is_kept_and_played_after_a_look(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    board(page, live_server, game, build_turn_query(game))
    line = page.locator(".finish input[name=line]").input_value().partition("@")[2]
    offline(page)
    page.locator("#send").click()
    offer = page.locator(".offer")
    expect(offer).to_contain_text(f"{game.name}: {line}")
    expect(offer).to_contain_text("not played yet")
    expect(page.locator("#trouble")).to_be_hidden()
    online(page)
    page.goto(live_server.url + "/games/")
    assert Game.objects.get(pk=game.pk).version == game.version  # nothing is sent by itself
    offer.get_by_role("link", name="Show it").click()
    expect(page.locator("#send")).to_be_visible()
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    expect(offer).to_have_count(0)
    page.goto(live_server.url + "/games/")
    expect(offer).to_have_count(0)


def test_an_open_board_says_that_it_is_offline_and_offers_nothing_that_needs_the_site(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    board(page, live_server, game, build_turn_query(game))
    banner = page.locator("#turn p.offline")
    send, back, say = page.locator("#send"), page.locator("#step-prev"), page.locator("#talk-form button")
    page.locator("a[data-tab=talk]").last.click()
    expect(say).to_be_visible()
    offline(page)
    expect(banner).to_have_text(
        "You're offline, but you can save your turn on this device and send it later."
    )
    expect(send).to_have_accessible_name("Save for later")
    expect(say).to_be_hidden()
    expect(back).to_be_hidden()
    with page.expect_response(lambda answer: "since=" in answer.url):  # it looks for news at once
        online(page)
    expect(banner).to_be_hidden()
    expect(send).to_have_accessible_name("Send turn")
    expect(say).to_be_visible()
    expect(back).to_be_visible()


def test_a_form_pressed_by_its_key_without_a_connection_leaves_the_board_where_it_is(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    Player.objects.update(undo_seconds=120)
    board(page, live_server, game, build_turn_query(game))
    page.locator("#send").click()
    undo = page.locator("#turn [data-key=u]")
    expect(undo).to_be_visible()
    offline(page)
    expect(undo).to_be_hidden()
    banner = page.locator("#turn p.offline")
    expect(banner).to_have_text("You're offline: this is the board as you last saw it.")
    page.keyboard.press("u")
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator("#frame svg").first).to_be_visible()
    online(page)
    page.keyboard.press("u")
    expect(undo).to_have_count(0)
    expect(page.locator(".headline").first).to_contain_text("Your turn")


def test_a_turn_is_typed_on_the_board_from_memory(page: Page, live_server: LiveServer, game: Game) -> None:
    board(page, live_server, game)
    wait_until(page, "caches.match(location.pathname).then(Boolean)")
    offline(page)
    page.reload()
    mark = page.locator("svg.layer a.mark").first
    mark.evaluate("mark => mark.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
    typed = page.locator("#line")
    expect(typed).to_be_focused()
    assert re.fullmatch(r"-?\d+,-?\d+", typed.input_value())
    line = write(next(iter(positions.load_position(game).legal_actions())))
    typed.fill(line)
    page.locator(".typed button").click()
    expect(page.locator(".offer")).to_contain_text(line)
    play_turns(game, 2, now=timezone.now())  # a rare accident, and not lost silently
    page.goto(live_server.url + "/games/")  # the board from memory would reload by itself, in between
    online(page)
    page.goto(build_game_url(live_server, game))
    page.locator(".offer").get_by_role("link", name="Show it").click()
    expect(page.get_by_text("The game has moved on since you prepared this turn")).to_be_visible()
    page.locator(".offer").get_by_role("button", name="Discard it").click()
    expect(page.locator(".offer")).to_have_count(0)
    page.reload()
    expect(page.locator(".offer")).to_have_count(0)


def test_the_board_from_memory_makes_way_for_the_real_one_when_the_network_is_back(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    board(page, live_server, game)
    wait_until(page, "caches.match(location.pathname).then(Boolean)")
    offline(page)
    page.reload()
    expect(page.locator("#memory")).to_be_visible()
    page.add_init_script("addEventListener('online', one => one.isTrusted && one.stopImmediatePropagation())")
    page.reload()
    online(page)
    page.evaluate("setTimeout(() => dispatchEvent(new Event('online')), 200)")
    expect(page.locator("#memory")).to_be_hidden()


def test_the_board_from_memory_stays_while_the_network_that_came_leads_nowhere(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    """Chromium says so now and then, even without a network; what is being typed would be lost."""
    board(page, live_server, game)
    wait_until(page, "caches.match(location.pathname).then(Boolean)")
    offline(page)
    page.reload()
    expect(page.locator("#memory")).to_be_visible()
    page.evaluate("window.same = true; dispatchEvent(new Event('online'))")
    page.wait_for_timeout(500)
    assert page.evaluate("window.same === true")


def test_nobody_sees_the_boards_or_turns_of_who_was_here_before(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    board(page, live_server, game, build_turn_query(game))
    offline(page)
    page.locator("#send").click()
    expect(page.locator(".offer")).to_be_visible()
    online(page)
    page.goto(build_game_url(live_server, game))
    wait_until(page, "caches.match(location.pathname).then(Boolean)")
    page.locator(".menu > button").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    expect(page.locator(".offer")).to_have_count(0)
    assert not page.evaluate("caches.has('boards')")
    offline(page)
    page.goto(build_game_url(live_server, game))
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    online(page)
    page.context.clear_cookies()
    sign_in(page, live_server, make_player("Zoe"))
    page.goto(live_server.url + "/games/")
    expect(page.get_by_role("heading", name="No game yet")).to_be_visible()
    expect(page.locator(".offer")).to_have_count(0)


def test_a_new_release_takes_the_place_of_the_old_one(
    page: Page, live_server: LiveServer, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    board(page, live_server, game)
    (old,) = page.evaluate("caches.keys().then(names => names.filter(name => name !== 'boards'))")
    monkeypatch.setattr(pwa, "shell", lambda: [static("css/site.css")])
    page.evaluate("navigator.serviceWorker.getRegistration().then(worker => worker.update())")
    wait_until(page, f"caches.has('{old}').then(kept => !kept)")
    (new,) = page.evaluate("caches.keys().then(names => names.filter(name => name !== 'boards'))")
    assert new != old and pages(page) == [f"/g/{game.code}/"]


def test_the_cards_of_kept_turns_are_accessible(page: Page, live_server: LiveServer, game: Game) -> None:
    page.emulate_media(color_scheme="dark")
    board(page, live_server, game)
    wait_until(page, "caches.match(location.pathname).then(Boolean)")
    offline(page)
    page.reload()
    page.locator("a[data-tab=game]").click()
    page.locator(".typed summary").click()
    page.locator("#line").fill("7,7 r0")
    page.locator(".typed button").click()
    expect(page.locator(".offer")).to_be_visible()
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        results = axe.run(page)
        assert results.violations_count == 0, results.generate_report()


def test_my_games_shows_a_new_move_by_itself_and_asks_at_once_on_return(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    waiting = game.seats.exclude(index=game.awaited).get().player
    assert waiting is not None
    sign_in(page, live_server, waiting)
    page.goto(live_server.url + "/games/")
    expect(page).to_have_title(f"My games · {settings.SITE_NAME}")
    with page.expect_response(lambda answer: "since=" in answer.url) as answer:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))")
    assert answer.value.status == 204
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("Object.defineProperty(document, 'hidden', {get: () => window.away, configurable: true})")
    page.evaluate("window.away = true; htmx.trigger('#games', 'look')")
    page.wait_for_timeout(200)
    assert asked == []  # a hidden page sends no requests
    page.evaluate("window.away = false")
    play_turns(game, 1, now=timezone.now())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))")
    expect(page).to_have_title(f"(1) My games · {settings.SITE_NAME}")
    expect(page.locator("#icon")).to_have_attribute("href", "/icon/1.svg")


def test_a_turn_kept_in_the_turn_after_ones_own_is_not_taken_for_the_one_just_played(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    board(page, live_server, game, build_turn_query(game))
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    expect(page.locator("#played")).to_have_count(0)  # this one is settled
    key = f"turn {page.locator('body').get_attribute('data-player')} /g/{game.code}/"
    page.evaluate(
        "key => { localStorage[key] = JSON.stringify({game: 'x', line: '9,9 r0', version: 99}); }", key
    )
    page.evaluate("document.body.dispatchEvent(new CustomEvent('htmx:afterSettle', {bubbles: true}))")
    expect(page.locator(".offer")).to_contain_text("9,9 r0")


def test_a_page_that_is_still_open_for_somebody_else_keeps_nothing(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    board(page, live_server, game)
    wait_until(page, "caches.match(location.pathname).then(Boolean)")
    other = page.context.new_page()
    page.context.clear_cookies()
    sign_in(other, live_server, make_player("Zoe"))
    other.goto(live_server.url + "/games/")
    expect(other.get_by_role("heading", name="No game yet")).to_be_visible()
    wait_until(other, "caches.has('boards').then(kept => !kept)")
    page.evaluate("document.body.dispatchEvent(new CustomEvent('htmx:afterSettle', {bubbles: true}))")
    page.wait_for_timeout(200)
    assert not other.evaluate("caches.has('boards')")
