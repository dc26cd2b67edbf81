"""Tests of the board in its frame: drag, wheel, pinch, keys, stable positions, and a turn by touch."""

from typing import Any

import pytest
from django.utils import timezone
from django.utils.translation import override
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from games.play import positions
from games.rules.notation import write
from games.words.arrows import format_spaces_beyond
from tests.browser.faults import note_faults
from tests.browser.frame_helpers import measure_box, read_view
from tests.browser.game_helpers import build_game_url, get_awaited_player
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game, play_lines, play_turns

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    return play_turns(make_game(seats=3, now=timezone.now()), 40, now=timezone.now())


@pytest.fixture
def said(page: Page) -> list[str]:
    """Errors on the console, of scripts or of the content security policy."""
    sentences: list[str] = []
    note_faults(page.context, sentences, ("error", "warning"))
    return sentences


def reaches(page: Page, selector: str) -> float:
    """The pixels that *selector* reaches below the screen."""
    below: float = page.locator(selector).evaluate("one => one.getBoundingClientRect().bottom - innerHeight")
    return below


def same(place: Any) -> Any:
    """*place* with the tolerance of a browser, which scrolls by whole pixels."""
    return {name: pytest.approx(value, abs=0.02 if name == "scale" else 4) for name, value in place.items()}


def middle(page: Page, selector: str = "#frame") -> tuple[float, float]:
    at = measure_box(page, selector)
    return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2


def grow(game: Game) -> Game:
    """Play until a tile lies further west or north than any before."""
    while True:
        played = positions.load_position(game)
        laid = list(played.state.placed)
        west, north = min(tile.x for tile in laid), min(tile.y for tile in laid)
        legal = list(played.legal_actions())
        beyond = [action for action in legal if action.x < west or action.y < north]
        game = play_lines(game, write((beyond or legal)[0]), now=timezone.now())
        if beyond:
            return game


def test_mouse_wheel_and_keys(page: Page, live_server: LiveServer, game: Game, said: list[str]) -> None:
    page.set_viewport_size({"width": 900, "height": 700})
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game))
    x, y = middle(page)
    start = read_view(page)
    page.mouse.move(x, y)
    for _ in range(4):
        page.mouse.wheel(0, -120)
    large = read_view(page)
    assert large["scale"] > 1.5 * start["scale"]

    mark = page.locator("svg.layer a.mark").first
    mark.evaluate("mark => mark.scrollIntoView({block: 'center', inline: 'center'})")
    before = read_view(page)
    x, y = middle(page, "svg.layer a.mark")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 20, steps=3)
    page.mouse.move(x + 60, y - 40, steps=3)
    page.mouse.up()
    after = read_view(page)
    assert (after["x"], after["y"]) != (before["x"], before["y"])
    assert "?at=" not in page.url, "a drag is no click"

    page.locator("#frame").focus()
    for key, larger in (("+", True), ("-", False)):
        scale = read_view(page)["scale"]
        page.keyboard.press(key)
        assert (read_view(page)["scale"] > scale) is larger
    page.keyboard.press("0")
    read_view(page)
    board, frame = measure_box(page, ".map .board"), measure_box(page, "#frame")
    assert board["left"] >= frame["left"] and board["right"] <= frame["right"], "all of it is in sight"
    assert board["top"] >= frame["top"] and board["bottom"] <= frame["bottom"]
    mark.click()
    expect(page.locator(".composer")).to_be_visible()
    assert said == []


def test_the_place_is_kept_over_steps_reloads_and_new_tiles(
    page: Page, live_server: LiveServer, game: Game, said: list[str]
) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game))
    page.get_by_role("button", name="Larger").click()
    page.locator("#frame").evaluate("one => one.scrollBy(-50, 37)")
    place = read_view(page)
    page.reload()
    assert read_view(page) == same(place)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#moment")).to_be_visible()
    for ply in (39, 38):  # what the turn did is in the middle, as near as the board was
        page.wait_for_url(f"**/{ply}/")
        assert read_view(page)["scale"] == pytest.approx(place["scale"], abs=0.02)
        tile, frame = middle(page, "#lately .last"), measure_box(page, "#frame")
        assert abs(tile[0] - frame["x"] - frame["width"] / 2) < 0.1 * frame["width"]
        assert abs(tile[1] - frame["y"] - frame["height"] / 2) < 0.1 * frame["height"]
        page.locator("#moment a[rel=prev]").click()
    page.get_by_role("link", name="Back to the current board").click()
    expect(page.locator("#table")).to_be_visible()
    assert read_view(page) == same(place)
    game = grow(game)
    page.evaluate("htmx.trigger('#watch', 'look')")
    expect(page.locator(".slider output")).to_contain_text(f"/ {game.ply}")
    assert read_view(page) == same(place)
    assert said == []


def test_a_turn_by_finger_on_a_small_phone(browser: Any, live_server: LiveServer, game: Game) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 600}, has_touch=True, is_mobile=True)
    page = context.new_page()
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game))
    # Two fingers make the board larger, about the point between them.
    cdp = context.new_cdp_session(page)
    x, y = middle(page)
    small = read_view(page)

    def touch(kind: str, *apart: int) -> None:
        points = [{"x": x + side * far, "y": y, "id": n} for far in apart for n, side in enumerate((-1, 1))]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 20)
    for far in (25, 30, 35, 40):
        touch("touchMove", far)
    touch("touchEnd")
    large = read_view(page)
    assert large["scale"] == pytest.approx(2 * small["scale"], rel=0.05)
    assert large == same({**small, "scale": large["scale"]})

    # All of the board in sight: what is chosen is brought near, above the panel, and let go again.
    page.keyboard.press("0")
    fit = read_view(page)["scale"]
    page.locator("svg.layer a.mark").first.evaluate(
        "mark => mark.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"
    )
    expect(page.locator(".composer")).to_be_visible()
    assert read_view(page)["scale"] >= 1.12 > fit
    cell, panel = measure_box(page, ".map .candidate"), measure_box(page, "#turn")
    assert cell["top"] >= 0 and cell["bottom"] <= panel["top"]
    for link in page.locator(":is(.choice, .composer .button, .steps a):visible").all():
        size = link.bounding_box()
        assert size is not None and min(size["width"], size["height"]) >= 44, size
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.locator(".choice").first.tap()
    page.locator("#send").tap()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    restored = read_view(page)["scale"]
    page.keyboard.press("0")
    assert read_view(page)["scale"] == restored, "all of it is in sight, as before"
    game.refresh_from_db()
    assert game.ply == 41
    context.close()


def test_on_a_phone_the_board_has_most_of_the_screen_and_nothing_over_it(
    page: Page, live_server: LiveServer
) -> None:
    heart_beats(timezone.now())
    options = {"sixth_player": True, "first_player": "creator"}
    game = play_turns(make_game(seats=6, options=options, now=timezone.now()), 20, now=timezone.now())
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(build_game_url(live_server, game))
    expect(page.locator(".zoom:not([hidden])")).to_have_count(1)
    frame, zoom, turn = (page.locator(one).bounding_box() for one in ("#frame", ".zoom", "#turn"))
    assert frame and zoom and turn
    assert frame["height"] > 740 * 0.5 and turn["y"] >= frame["y"] + frame["height"]
    assert zoom["y"] + zoom["height"] <= frame["y"] + frame["height"]
    page.goto(build_game_url(live_server, game) + "feature/0,0/city/N/")
    facts = page.locator(".facts-card").bounding_box()
    assert facts and frame["y"] <= facts["y"] < frame["y"] + frame["height"] / 2


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_seat_holds_what_it_tells(page: Page, live_server: LiveServer, seats: int) -> None:
    heart_beats(timezone.now())
    options = {"sixth_player": seats == 6, "first_player": "creator"}
    sets = ["base", "inns-and-cathedrals", "traders-and-builders"]
    game = make_game(seats=seats, sets=sets, options=options, now=timezone.now())
    for width in (360, 820, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(build_game_url(live_server, game))
        wide = page.locator(".seat").evaluate_all(
            "seats => seats.filter(seat => seat.scrollWidth > seat.clientWidth).length"
        )
        assert wide == 0, width


def test_on_paper_stands_the_whole_board_and_nothing_to_click(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(build_game_url(live_server, game))
    expect(page.locator(".zoom")).to_be_hidden()
    for left_out in ("header.top", "footer", "#turn", ".steps", ".looks"):
        expect(page.locator(left_out)).to_be_hidden()
    board = page.locator(".map svg.board").first.bounding_box()
    assert board and board["x"] >= 0 and board["x"] + board["width"] <= 720
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    grass = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--map-grass')")
    assert grass == "#dbe6c3"


@pytest.mark.parametrize("language", ["en", "pl", "sk", "is", "ru"])
def test_arrows_say_a_sentence_with_their_number(
    page: Page, live_server: LiveServer, game: Game, language: str
) -> None:
    player = get_awaited_player(game)
    player.language = language
    player.save(update_fields=["language"])
    sign_in(page, live_server, player)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(build_game_url(live_server, game))
    read_view(page)
    told = set()
    for _zoom in range(5):
        page.keyboard.press("+")
        read_view(page)
        for arrow in page.locator(".arrow:visible").all():
            edge, number = (arrow.get_attribute("class") or "").split()[1], int(arrow.inner_text())
            with override(language):
                expect(arrow).to_have_attribute("aria-label", format_spaces_beyond(edge, number))
            told.add(number)
    assert len(told) > 2


def test_a_tenth_space_out_of_sight_moves_nothing(page: Page, live_server: LiveServer, game: Game) -> None:
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game))
    widths = page.locator(".arrow").first.evaluate(
        """arrow => [1, 9, 10, 44].map((number) => {
          arrow.hidden = false;
          arrow.firstChild.data = number;
          return arrow.offsetWidth;
        })"""
    )
    assert len(set(widths)) == 1, widths


@pytest.mark.parametrize("size", [(360, 740), (1366, 768)])
def test_what_was_seen_before_a_space_was_chosen_is_seen_again(
    page: Page, live_server: LiveServer, game: Game, size: tuple[int, int]
) -> None:
    """Also where the board stood as it fits: who plays on isn't left close to the last tile."""
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(build_game_url(live_server, game))
    before = read_view(page)
    page.locator("#turn-map .mark").first.evaluate(
        "one => one.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"
    )
    expect(page.locator("#turn-map .candidate")).to_be_visible()
    assert read_view(page)["scale"] > before["scale"]
    page.get_by_role("link", name="Start over").click()
    expect(page.locator("#turn-map .candidate")).to_have_count(0)
    assert read_view(page) == same(before)
