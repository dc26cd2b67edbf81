"""Tests of the keyboard: every step of a turn, the list of keys, switching them off, and the text board."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games.models import Game
from games.play import positions
from games.rules import RuleSet
from tests.browser.game_helpers import build_game_url, build_turn_query, get_awaited_player
from tests.browser.rest import wait_for_rest
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import bag_of, heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    return play_turns(make_game(seats=3, now=timezone.now()), 24, now=timezone.now())


@pytest.fixture
def board(page: Page, live_server: LiveServer, game: Game) -> Page:
    """The board, open for the player on turn."""
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game))
    return page


def test_a_turn_by_tab_and_enter(board: Page, game: Game) -> None:
    page = board
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
    page.keyboard.press("Enter")  # no meeple
    expect(page.locator("#send")).to_be_visible()
    page.locator("#send").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    expect(page.locator("#turn")).to_be_focused()
    game.refresh_from_db()
    assert game.ply == 25


def test_a_turn_by_single_keys(board: Page, game: Game) -> None:
    keys = board.keyboard
    keys.press("m")
    first = board.locator("svg.layer a.mark").first
    expect(first).to_be_focused()
    here = middle(board)
    keys.press("ArrowDown")
    below = middle(board)
    assert below[1] > here[1]
    keys.press("ArrowUp")
    assert middle(board)[1] < below[1]
    keys.press("Enter")
    expect(board.locator(".composer")).to_be_visible()
    keys.press("x")
    expect(board.locator("#figure-0[aria-current]")).to_be_visible()
    keys.press("e")
    expect(board.locator("#send")).to_be_focused()
    game.refresh_from_db()
    assert game.ply == 24, "going to the button sends nothing"
    keys.press("Enter")
    expect(board.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    expect(board.locator("#announce")).to_contain_text("Your turn is played.")
    game.refresh_from_db()
    assert game.ply == 25


SHEET_NAMES = {"Esc": "Escape", "←": "ArrowLeft", "→": "ArrowRight"}


def test_every_key_of_the_sheet_does_what_it_says(page: Page, live_server: LiveServer) -> None:
    """An error on the console fails it, as it does every test in the browser."""
    now = timezone.now()
    heart_beats(now)
    sets = ["base", "inns-and-cathedrals"]
    bag = bag_of(RuleSet.of(sets=sets, seats=2), "base.V", "base.U", "base.V", "base.J")
    game = play_turns(make_game(sets=sets, bag=bag, now=now), 2, now=now)
    while not (turn := turn_with_choices(game)):
        game = play_turns(game, 1, now=now)
        assert game.ply < 9
    player = get_awaited_player(game)
    Player.objects.update(undo_seconds=120)
    sign_in(page, live_server, player)
    pressed = set()

    def press(key: str) -> None:
        pressed.add(key)
        page.wait_for_load_state()  # the scripts listen by then
        page.keyboard.press(key)

    def scale() -> float:
        wait_for_rest(page)
        return float(page.evaluate("document.querySelector('.map .board').getScreenCTM().a"))

    def expect_page(name: str, *args: int) -> None:
        page.wait_for_url(
            lambda url: url.split("?")[0].split("#")[0] == build_game_url(live_server, game, name, *args)
        )

    page.goto(f"{live_server.url}/help/keys/")
    listed = {SHEET_NAMES.get(key, key) for key in page.locator(".keys kbd").all_inner_texts()}
    press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    # Keys belong to the dialog as long as the focus is in it.
    expect(page.locator("dialog:focus-within")).to_have_count(0)
    press("g")
    expect(page).to_have_url(f"{live_server.url}/games/")
    press("n")
    expect_page("table")

    fitting = scale()
    press("+")
    enlarged = scale()
    assert enlarged > fitting
    press("-")
    assert scale() < enlarged
    press("+")
    press("0")
    assert scale() == pytest.approx(fitting, rel=0.01)
    press("s")
    expect_page("scores")
    page.go_back()
    press("t")
    expect(page.locator("#text")).to_be_focused()
    page.goto(build_game_url(live_server, game))
    press("p")
    page.wait_for_url("**/ply/**")
    page.goto(build_game_url(live_server, game))
    press("i")
    expect_page("text")
    expect(page.locator("#line")).to_be_focused()
    page.goto(build_game_url(live_server, game))
    press("b")
    expect_page("text")
    press("i")
    expect(page.locator("#line")).to_be_focused()
    page.locator("h1").first.click()
    press("b")
    expect_page("table")

    page.goto(build_game_url(live_server, game, "ply", 2))
    press("ArrowLeft")
    expect_page("ply", 1)
    press("ArrowRight")
    expect_page("ply", 2)
    press("Home")
    expect_page("ply", 0)
    press("p")
    expect(page.locator("#playing")).not_to_have_attribute("data-run", "0")
    press("p")
    expect(page.locator("#playing")).to_have_attribute("data-run", "0")
    press("End")
    expect(page.locator("#step-last")).to_have_count(0)
    press("Escape")
    expect_page("table")

    press("m")
    page.keyboard.press("Enter")
    expect(page.locator(".composer")).to_be_visible()
    press("Escape")
    expect(page.locator(".composer")).to_have_count(0)
    page.goto(build_game_url(live_server, game) + turn)
    press("r")
    expect(page.locator(".composer")).to_contain_text("Rotation 2 of")
    places = page.locator("[id^=place-]").count()
    for number in range(1, places + 1):
        press(str(number))
        expect(page.locator(f"#place-{number}")).to_have_class(re.compile("chosen"))
    figure = page.locator(".strip [aria-current]")
    before = figure.inner_text()
    press("f")
    expect(figure).not_to_have_text(before)
    press("x")
    expect(page.locator("#figure-0")).to_have_attribute("aria-current", "true")
    press("e")
    expect(page.locator("#send")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    page.locator("#turn").focus()
    press("u")
    expect(page.locator(".composer, svg.layer a.mark").first).to_be_visible()
    assert listed - pressed <= {"9"}, "the sheet stands for all digits by its first and last"


def turn_with_choices(game: Game) -> str:
    """The query of a placement that can be rotated and has places for two kinds of figures, or ""."""
    legal = positions.load_position(game).legal_actions()
    for placement in legal.placements:
        ways = [other for other in legal.placements if (other.x, other.y) == (placement.x, placement.y)]
        if len(ways) > 1 and len({deployed.meeple for deployed in legal.figures(ways[1]) if deployed}) > 1:
            return f"?at={placement.x},{placement.y}&r={ways[0].rotation}"
    return ""


def middle(page: Page) -> list[float]:
    return page.evaluate(  # type: ignore[no-any-return]
        "() => ['x', 'y'].map((on) => Number(document.activeElement.querySelector('rect').getAttribute(on)))"
    )


def test_keys_do_nothing_while_one_writes_or_with_others(board: Page, game: Game) -> None:
    where = board.url
    board.keyboard.press("t")
    expect(board.locator("#text")).to_be_focused()
    board.keyboard.type("gbs?n1")
    expect(board.locator("#text")).to_have_value("gbs?n1")
    board.locator("#turn").focus()
    board.keyboard.press("Alt+s")
    board.keyboard.press("Meta+b")
    expect(board.locator("dialog[open]")).to_have_count(0)
    assert board.url == f"{where}#tab-talk"


def test_the_sheet_opens_closes_and_gives_the_focus_back(board: Page) -> None:
    board.keyboard.press("m")
    board.keyboard.press("?")
    sheet = board.get_by_role("dialog", name="Keyboard")
    expect(sheet).to_be_visible()
    board.keyboard.press("g")
    expect(sheet).to_be_visible()
    board.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(board.locator("svg.layer a.mark").first).to_be_focused()
    board.keyboard.press("?")
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    board.keyboard.press("b")
    board.wait_for_url("**/text/")
    board.keyboard.press("b")
    expect(board.locator("#board-map")).to_be_visible()


def test_who_wants_no_keys_has_none(board: Page, game: Game) -> None:
    Player.objects.update(shortcuts=False)
    board.reload()
    where = board.url
    for key in ("?", "b", "m", "n"):
        board.keyboard.press(key)
    expect(board.locator("dialog[open]")).to_have_count(0)
    assert board.url == where


def test_the_board_in_words_answers_in_place(board: Page, game: Game) -> None:
    board.keyboard.press("b")
    board.wait_for_url("**/text/")
    line = board.locator("#line")
    board.keyboard.press("i")
    expect(line).to_be_focused()
    board.keyboard.type("scores")
    board.keyboard.press("Enter")
    expect(board.locator("#answer")).to_contain_text("in hand")
    expect(line).to_be_focused()
    expect(line).to_have_value("")
    action = build_turn_query(game)
    at, rotation = action.split("at=")[1].split("&")[0], action.split("r=")[1].split("&")[0]
    board.keyboard.type(f"{at} {rotation}")
    board.keyboard.press("Enter")
    expect(board.locator("#send")).to_be_visible()
    expect(line).to_have_value(f"{at} {rotation}")
    board.keyboard.press("Tab")
    board.keyboard.press("Tab")
    expect(board.locator("#send")).to_be_focused()
    board.keyboard.press("Enter")
    expect(board.locator("#answer")).to_contain_text("Your turn is played.")
    expect(board.locator("#answer")).to_be_focused()
    game.refresh_from_db()
    assert game.ply == 25


def test_the_board_in_words_tells_what_others_play(page: Page, live_server: LiveServer, game: Game) -> None:
    waiting = game.seats.exclude(index=game.awaited).first().player  # type: ignore[union-attr]
    sign_in(page, live_server, waiting)  # type: ignore[arg-type]
    page.goto(build_game_url(live_server, game, "text"))
    page.locator("#line").fill("half a li")
    play_turns(game, 1, now=timezone.now())
    page.evaluate("htmx.trigger('#watch', 'look')")
    expect(page.locator("#news")).to_contain_text("placed a tile at")
    expect(page.locator("#line")).to_have_value("half a li")


@pytest.mark.parametrize("width", [320, 640])
def test_nothing_is_lost_when_enlarged_or_in_forced_colours(
    browser: Browser, live_server: LiveServer, game: Game, width: int
) -> None:
    """320 px is a page of 1280 enlarged four times; 640 px one enlarged twice (WCAG 1.4.10, 1.4.4)."""
    context = browser.new_context(viewport={"width": width, "height": 512}, forced_colors="active")
    page = context.new_page()
    sign_in(page, live_server, get_awaited_player(game))
    pages = (
        build_game_url(live_server, game),
        build_game_url(live_server, game) + build_turn_query(game),
        build_game_url(live_server, game, "text"),
        f"{live_server.url}/games/",
        f"{live_server.url}/help/keys/",
    )
    for url in pages:
        page.goto(url)
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, (url, wide)
    context.close()
