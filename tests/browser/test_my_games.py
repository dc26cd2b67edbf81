"""Tests of My games on a desk and on a phone: what is visible at once, and touch targets."""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games import play, tables
from games.models import Game
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game, make_players, make_table, play_turns

pytestmark = pytest.mark.django_db(transaction=True)

FIND_BOXES = """
selector => [...document.querySelectorAll(selector)]
    .map(one => one.getBoundingClientRect())
    .map(({left, top, right, bottom}) => ({left, top, right, bottom}))
"""


@pytest.fixture
def desk(page: Page, live_server: LiveServer) -> Iterator[Page]:
    """Anna's list: eight running games, an invitation and a finished game."""
    now = timezone.now()
    heart_beats(now)
    anna, bruno = make_players(2)
    for at in range(8):
        sets = ["base", "river1"] if at % 2 else ["base", "inns-and-cathedrals"]
        play_turns(make_game(name=f"Mirepoix {at}", sets=sets, seats=2 + at % 2, now=now), 4 + at, now=now)
    asked = make_table(host=bruno, name="Albi", seats=3, now=now)
    tables.invite(game_id=asked.pk, inviter=bruno, player=anna, now=now)
    over = play_turns(make_game(name="Narbonne", now=now), 4, now=now)
    play.resign(game_id=over.pk, seat=1, now=now)
    sign_in(page, live_server, anna)
    yield page


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    boxes: list[dict[str, float]] = page.evaluate(FIND_BOXES, selector)
    return boxes


def press(page: Page, selector: str) -> None:
    """Click in the middle of the first match, whatever lies there."""
    box = boxes(page, selector)[0]
    page.mouse.click((box["left"] + box["right"]) / 2, (box["top"] + box["bottom"]) / 2)


def open_list(page: Page, live_server: LiveServer, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{live_server.url}/games/")
    page.wait_for_load_state("networkidle")


def test_five_rows_stand_wholly_on_a_desk(desk: Page, live_server: LiveServer) -> None:
    open_list(desk, live_server, 1366, 768)
    whole = [box for box in boxes(desk, ".rows > .game") if box["bottom"] <= 768]
    assert len(whole) >= 5
    assert boxes(desk, ".desk-side h2")[0]["bottom"] <= 768
    assert all(box["bottom"] <= 768 for box in boxes(desk, "#invitations .card"))


def test_no_half_of_a_wide_desk_is_blank(desk: Page, live_server: LiveServer) -> None:
    """Of what stands between the header and the end of the list no gap is wider than a tenth of the window,
    and neither is what is left beside it."""
    open_list(desk, live_server, 1600, 900)
    row, side = boxes(desk, ".rows > .game")[0], boxes(desk, ".desk-side")[0]
    assert row["left"] <= 80 and side["right"] >= 1520
    assert 0 < side["left"] - row["right"] <= 40
    first = ".rows > .game:first-child"
    head, event, act = (boxes(desk, f"{first} .game-{part}")[0] for part in ("head", "event", "act"))
    assert 0 <= event["left"] - head["right"] <= 160
    assert 0 <= act["left"] - event["right"] <= 160
    assert boxes(desk, ".rows > .game")[-1]["bottom"] >= 850


def test_every_picture_of_a_board_comes_and_fits_its_frame(desk: Page, live_server: LiveServer) -> None:
    open_list(desk, live_server, 1366, 2000)
    sizes = desk.evaluate("() => [...document.querySelectorAll('.thumbnail')].map(one => one.naturalWidth)")
    assert len(sizes) == 9 == Game.objects.exclude(started=None).count()
    assert min(sizes) > 40
    assert all(box["right"] - box["left"] <= 150 for box in boxes(desk, ".thumbnail"))


@pytest.mark.parametrize("width", [320, 360])
def test_a_row_on_a_phone_is_one_target_and_its_button_is_large(
    desk: Page, live_server: LiveServer, width: int
) -> None:
    open_list(desk, live_server, width, 740)
    assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
    buttons = boxes(desk, ".rows .button")
    assert len(buttons) == 8
    assert all(box["bottom"] - box["top"] >= 44 and box["right"] - box["left"] >= 44 for box in buttons)
    sets = boxes(desk, ".rows .sets")
    assert len(sets) == 8 and all(box["bottom"] - box["top"] <= 28 for box in sets), "in one line"
    press(desk, ".rows .seat-name a")
    desk.wait_for_url("**/g/*/")


def test_on_a_desk_a_name_leads_to_its_player_and_the_rest_of_a_row_to_its_game(
    desk: Page, live_server: LiveServer
) -> None:
    open_list(desk, live_server, 1366, 768)
    names = boxes(desk, ".rows .seat-name a")
    assert names and all(box["bottom"] - box["top"] >= 36 for box in names)
    press(desk, ".rows .seat-name a")
    desk.wait_for_url("**/players/*/")
    desk.go_back()
    press(desk, ".rows .game-board")
    desk.wait_for_url("**/g/*/")


@pytest.mark.parametrize("language", ["pl", "sk", "is", "ru"])
def test_nothing_sticks_out_in_any_language(desk: Page, live_server: LiveServer, language: str) -> None:
    Player.objects.update(language=language)
    open_list(desk, live_server, 320, 640)
    assert desk.locator("html").get_attribute("lang") == language
    assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert all(box["right"] <= 320 for box in boxes(desk, ".rows *"))
