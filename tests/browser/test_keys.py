"""The keyboard: every step of a turn, the sheet of keys, switching them off; and the board in words."""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games.models import Game
from tests.browser.faults import note_faults
from tests.browser.test_board import a_turn, address, awaited, sign_in
from tests.games.factories import heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    return play_turns(make_game(seats=3, now=timezone.now()), 24, now=timezone.now())


@pytest.fixture
def board(page: Page, live_server: LiveServer, game: Game) -> Iterator[Page]:
    """The board, open before whoever is to move; what the browser complains of fails the test."""
    faults: list[str] = []
    note_faults(page, faults)
    sign_in(page, live_server, awaited(game))
    page.goto(address(live_server, game))
    yield page
    assert faults == []


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
    action = a_turn(game)
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
    page.goto(address(live_server, game, "text"))
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
    sign_in(page, live_server, awaited(game))
    pages = (
        address(live_server, game),
        address(live_server, game) + a_turn(game),
        address(live_server, game, "text"),
        f"{live_server.url}/games/",
        f"{live_server.url}/help/keys/",
    )
    for url in pages:
        page.goto(url)
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, (url, wide)
    context.close()
