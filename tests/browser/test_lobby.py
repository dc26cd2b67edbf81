"""Tests of the lobby: what is visible at once, and filtering with and without JavaScript."""

from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.games.factories import NOW, make_players, make_table
from tests.games.play.substitute_helpers import make_offered_game

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESK = (360, 740), (1366, 768)


def lobby(browser: Browser, site: str, size: tuple[int, int], *, javascript: bool = True) -> Page:
    context = browser.new_context(
        java_script_enabled=javascript,
        viewport={"width": size[0], "height": size[1]},
        is_mobile=size[0] < 500,
        has_touch=size[0] < 500,
    )
    page = context.new_page()
    page.goto(f"{site}/lobby/")
    return page


@pytest.fixture
def tables_in_the_lobby() -> None:
    anna, bruno = make_players(2)
    sets = [(), ("river1", "abbot"), ("count",), (), ("traders-and-builders", "cult"), ("winter", "river2")]
    for number, added in enumerate(sets):
        make_table(
            host=(anna, bruno)[number % 2],
            name=f"Table {number}",
            sets=("base", *added),
            edition="C2" if "abbot" in added else "C1",
            seats=2 + number % 3,
            days_per_move=(1, 3, 7)[number % 3],
            now=NOW + timedelta(minutes=number),
        )


@pytest.mark.usefixtures("tables_in_the_lobby")
def test_six_cards_fit_a_desk(browser: Browser, live_server: LiveServer) -> None:
    page = lobby(browser, live_server.url, DESK)
    cards = page.locator(".card.table")
    expect(cards).to_have_count(6)
    for card in cards.all():
        expect(card).to_be_in_viewport(ratio=0.95)


@pytest.mark.usefixtures("tables_in_the_lobby")
@pytest.mark.parametrize("javascript", [True, False])
def test_pills_narrow_the_list_and_crosses_widen_it(
    browser: Browser, live_server: LiveServer, javascript: bool
) -> None:
    page = lobby(browser, live_server.url, DESK, javascript=javascript)
    page.get_by_label("Clock", exact=True).select_option(label="Up to 3 days a turn")
    page.get_by_label("Seats", exact=True).select_option(label="3 seats")
    if not javascript:
        page.get_by_role("button", name="Show").click()
    expect(page.locator(".card.table h3")).to_have_text(["Table 4", "Table 1"])
    expect(page).to_have_url(
        f"{live_server.url}/lobby/?sets=&seats=3&days=3&language=&rated=&people=&sort=new"
    )
    page.get_by_role("button", name="Remove: Seats").click()
    expect(page.get_by_label("Seats", exact=True)).to_have_value("")
    expect(page.get_by_role("button", name="Remove: Seats")).to_be_hidden()
    expect(page.locator(".card.table")).to_have_count(4)


@pytest.mark.usefixtures("tables_in_the_lobby")
@pytest.mark.parametrize("javascript", [True, False])
def test_on_a_phone_filters_are_a_sheet(browser: Browser, live_server: LiveServer, javascript: bool) -> None:
    page = lobby(browser, live_server.url, PHONE, javascript=javascript)
    sets = page.get_by_label("Sets", exact=True)
    expect(sets).to_be_hidden()
    page.locator("summary", has_text="Filter").click()
    sets.select_option(label="The Abbot")
    if not javascript:
        page.get_by_role("button", name="Show").click()
    expect(page.locator(".card.table h3")).to_have_text(["Table 1"])
    expect(page.locator("#filter-count")).to_have_text("1")
    page.get_by_role("button", name="Remove: The Abbot").click()
    expect(page.locator(".card.table")).to_have_count(6)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("size", [(320, 640), (360, 740), (1600, 900)])
def test_the_card_of_a_seat_holds_together(
    page: Page, live_server: LiveServer, size: tuple[int, int]
) -> None:
    """Figure, name and score of each seat stand in one line, and the button is in sight."""
    make_offered_game(name="Albi")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{live_server.url}/seats/")
    seats = page.locator(".seat-offer .seat")
    expect(seats).to_have_count(3)
    for seat in seats.all():
        parts = [seat.locator(part).bounding_box() for part in (".meeple", ".seat-name", ".seat-score")]
        middles = [part["y"] + part["height"] / 2 for part in parts if part]
        assert len(middles) == 3 and max(middles) - min(middles) < 12, seat.inner_text()
    button = page.get_by_role("link", name="Take over")
    box = button.bounding_box()
    assert box and box["height"] >= (44 if size[0] < 640 else 36)
    if size[0] > 320:
        expect(button).to_be_in_viewport(ratio=1)
