"""Tests of setting up a table, at phone size and on a desk, with and without JavaScript."""

from dataclasses import replace

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from games.clocks import DAY, HOUR, PRESETS, Counting, TimeoutStep
from games.models import Game
from games.rules.modules import MODULES
from tests.browser.setting_up_helpers import DESK, PHONE, open_setup_form

pytestmark = pytest.mark.django_db(transaction=True)


def choice(page: Page, group: str, value: int) -> Locator:
    """One of the short values shown side by side."""
    return page.locator(f"#field-{group}").get_by_label(str(value), exact=True)


def test_a_preset_spreads_out_and_a_warning_is_heeded(browser: Browser, live_server: LiveServer) -> None:
    page = open_setup_form(browser, live_server.url)
    page.get_by_label("Name of the table").fill("Albi")
    page.get_by_label("The larger game").check()
    expect(page.get_by_label("Inns & Cathedrals")).to_be_checked()
    expect(page.get_by_label("The larger game")).to_be_focused()
    page.get_by_label("Inns & Cathedrals").uncheck()
    expect(page.locator(".pills")).to_contain_text("The larger game, changed")
    page.get_by_label("Traders & Builders").uncheck()
    expect(page.locator(".sum")).to_contain_text("Base game, 72 tiles")
    page.get_by_role("checkbox", name="The Count of Carcassonne").check()
    expect(page.locator(".sum")).to_contain_text("The Count of Carcassonne, 83 tiles")
    page.locator(".house > summary").click()
    expect(page.get_by_label("How the Count moves")).to_be_visible()
    expect(page.get_by_label("What King and Robber Baron score")).to_be_hidden()
    page.get_by_label("How the Count moves").select_option(label="always to the next quarter clockwise")
    expect(page.locator("#differing")).to_have_text("1 change")
    page.get_by_role("checkbox", name="The River II").check()
    expect(page.locator("#notes")).to_contain_text("The rules advise against the Count")
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("button", name="Set it up anyway").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Albi")
    rules = Game.objects.get().rules
    assert rules.sets == ("base", "river2", "count")
    assert rules.options["count_move"] == "clockwise"


@pytest.mark.parametrize("late", [0, 300], ids=["at once", "before the answer"])
def test_a_set_that_is_ticked_while_a_preset_is_spread_out_stays_ticked(
    browser: Browser, live_server: LiveServer, late: int
) -> None:
    page = open_setup_form(browser, live_server.url, size=DESK)

    def delay(route: Route) -> None:
        page.wait_for_timeout(late)
        route.continue_()

    page.route(f"{live_server.url}{reverse('games:spread_out')}", delay)
    count = page.get_by_role("checkbox", name="The Count of Carcassonne")
    page.get_by_label("The larger game").check(no_wait_after=True)
    count.check(no_wait_after=True)
    expect(page.get_by_role("checkbox", name="Inns & Cathedrals")).to_be_checked()
    expect(page.locator(".sum")).to_contain_text("The Count of Carcassonne")
    expect(count).to_be_checked()
    expect(page.locator(".pills")).to_contain_text("The larger game, changed")


def test_everything_works_without_javascript(browser: Browser, live_server: LiveServer) -> None:
    page = open_setup_form(browser, live_server.url, javascript=False)
    page.get_by_label("River and Abbot").check()
    page.get_by_role("button", name="Show its contents").click()
    expect(page.get_by_role("checkbox", name="The Abbot")).to_be_checked()
    page.get_by_role("checkbox", name="The River laid first +12").uncheck()
    page.locator(".house > summary").click()
    page.get_by_label("Edition", exact=True).select_option(label="First edition")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.locator(".errorlist")).to_contain_text("The abbot needs an edition with gardens")
    page.get_by_label("Abbot in an edition without gardens").select_option(label="yes")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("heading", name="Players")).to_be_visible()
    rules = Game.objects.get().rules
    assert (rules.sets, rules.edition) == (("base", "abbot"), "C1")


@pytest.mark.parametrize("javascript", [True, False])
def test_no_more_bots_than_seats_can_be_chosen(
    browser: Browser, live_server: LiveServer, javascript: bool
) -> None:
    page = open_setup_form(browser, live_server.url, javascript=javascript)
    for seats in range(2, 7):
        choice(page, "seats", seats).check()
        for bots in range(6):
            expect(choice(page, "bots", bots)).to_be_visible(visible=bots < seats)
    choice(page, "bots", 4).check()
    expect(page.get_by_label("Rated", exact=True)).to_be_hidden()
    choice(page, "seats", 3).check()
    if javascript:
        expect(choice(page, "bots", 2)).to_be_checked()
        expect(page.locator(".sum")).to_contain_text("The house bot takes 2 seats. The game starts at once.")
    else:
        page.get_by_role("button", name="Set up the table").click()
        expect(page.locator("#field-bots .errorlist")).to_contain_text("bots can have 2 at most")
        assert not Game.objects.exists()


def test_on_a_desk_every_set_and_the_button_show(browser: Browser, live_server: LiveServer) -> None:
    page = open_setup_form(browser, live_server.url, size=DESK)
    chips = page.locator(".chip")
    expect(chips).to_have_count(len(MODULES))
    for shown in (*chips.all(), *page.locator(".clock").all(), *page.locator(".fold > summary").all()):
        expect(shown).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Set up the table")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("language", ["en", "pl", "sk", "is", "ru"])
def test_on_a_phone_the_page_is_short_and_the_button_in_sight(
    browser: Browser, live_server: LiveServer, language: str
) -> None:
    page = open_setup_form(browser, live_server.url, language=language)
    high = page.evaluate("document.documentElement.scrollHeight")
    assert high <= (1600 if language == "en" else 1750)
    button = page.locator(".send button:not(.quiet)")
    for down in range(0, high - PHONE[1], 200):
        page.evaluate(f"scrollTo(0, {down})")
        expect(button).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    small = page.eval_on_selector_all(
        ".chip, .clock, .pill-words, .segments label, .send button, .fold > summary",
        "all => all.filter(one => one.offsetHeight && one.getBoundingClientRect().height < 44).length",
    )
    assert small == 0


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_another_clock_is_spread_out_and_what_was_set_by_hand_stays(
    browser: Browser, live_server: LiveServer, size: tuple[int, int]
) -> None:
    page = open_setup_form(browser, live_server.url, size=size)
    page.get_by_label("Name of the table").fill("Albi")
    expect(page.locator(".sum")).to_contain_text("About 3 days a move; being late once is fine.")
    page.locator(".times > summary").click()
    page.get_by_label("More with each turn").fill("2")
    page.keyboard.press("Tab")
    expect(page.locator("#clock-differing")).to_have_text("1 value changed")
    page.get_by_label("Weekends").select_option(label="stop the clock")
    expect(page.locator("#clock-differing")).to_have_text("2 values changed")
    page.get_by_role("radio", name="Classic").check()
    expect(page.get_by_label("At first")).to_have_value("30")
    expect(page.get_by_label("More with each turn")).to_have_value("2")
    expect(page.get_by_label("Counts double beyond")).to_have_value("20")
    expect(page.locator("#clock-in-full")).to_contain_text("2 days more with each turn, up to 60 days")
    page.get_by_label("Up to").fill("10")
    page.keyboard.press("Tab")
    expect(page.locator("#notes .error")).to_contain_text("Up to: Choose from 1 hour to 60 days")
    page.get_by_label("Excused time-outs").select_option("3")
    expect(page.locator("#clock-differing")).to_have_text("4 values changed")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.locator(".times .errorlist")).to_contain_text("no less than there is at first")
    page.get_by_label("Up to").fill("60")
    page.keyboard.press("Tab")
    expect(page.locator(".sum")).to_contain_text("being late 3 times is fine")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Albi")
    game = Game.objects.get()
    hand_made = replace(PRESETS["classic"], gain=2 * DAY, weekends=Counting.STOP)
    assert (game.clock, game.ladder.excuses) == (hand_made, 3)


def test_every_value_of_a_clock_is_set_without_javascript(browser: Browser, live_server: LiveServer) -> None:
    page = open_setup_form(browser, live_server.url, javascript=False)
    page.get_by_role("radio", name="Brisk").check()
    page.locator(".times > summary").click()
    page.get_by_label("Free in each turn").fill("5")
    page.get_by_label("And finally").select_option(label="the opponents may claim the win or give more time")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("heading", name="Players")).to_be_visible()
    game = Game.objects.get()
    assert game.clock == replace(PRESETS["brisk"], grace=5 * HOUR)
    assert game.ladder.last == TimeoutStep.CLAIM
