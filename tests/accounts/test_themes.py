"""Tests of colour themes, chosen in the settings or at the foot of a page."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts import themes
from accounts.models import Player, Theme
from tests.games.factories import make_player
from tests.html import Page

pytestmark = pytest.mark.django_db
SETTINGS = {"language": "en", "time_zone": "UTC"}


@pytest.fixture
def anna() -> Player:
    return make_player("anna")


def look(page: Page) -> tuple[str, str, list[str]]:
    """The theme, colour scheme and dark screens that a page declares."""
    scheme = page.one("meta[name=color-scheme]")["content"]
    return page.one("html")["data-theme"], scheme, [link["media"] for link in page.all("link[href*=night]")]


DEVICE = ("device", "light dark", ["screen and (prefers-color-scheme: dark)"])
LIGHT = ("light", "light", [])
DARK = ("dark", "dark", ["screen"])


def test_pages_are_as_the_device_unless_somebody_chose(client: Client) -> None:
    page = Page(client.get("/"))
    assert look(page) == DEVICE
    assert [bar["media"] for bar in page.all("meta[name=theme-color]")] == [
        "(prefers-color-scheme: light)",
        "(prefers-color-scheme: dark)",
    ]


@pytest.mark.parametrize(("chosen", "shown"), [("light", LIGHT), ("dark", DARK), ("device", DEVICE)])
def test_a_guest_chooses_at_the_foot_of_the_page(client: Client, chosen: str, shown: tuple) -> None:
    there = reverse("games:lobby")
    button = Page(client.get(there)).one(f"#foot button[name=theme][value={chosen}]")
    form = button.find_parent("form")
    answer = client.post(
        form["action"], {"theme": chosen, "next": form.find("input", {"name": "next"})["value"]}
    )
    assert (answer.status_code, answer["Location"]) == (302, there)
    page = Page(client.get(there))
    assert look(page) == shown
    assert [element["value"] for element in page.all("#foot button[name=theme][aria-current]")] == [chosen]


def test_a_player_chooses_in_the_settings_and_keeps_it_signed_out(client: Client, anna: Player) -> None:
    client.force_login(anna)
    client.post(reverse("accounts:settings"), {**SETTINGS, "theme": "dark"})
    anna.refresh_from_db()
    assert anna.theme == Theme.DARK
    assert look(Page(client.get(reverse("accounts:settings")))) == DARK
    client.post(reverse("account_logout"))
    assert look(Page(client.get("/rules/"))) == DARK


def test_the_account_counts_before_the_browser(client: Client, anna: Player) -> None:
    client.cookies[themes.COOKIE] = "dark"
    Player.objects.update(theme=Theme.LIGHT)
    client.force_login(anna)
    assert look(Page(client.get(reverse("games:lobby")))) == LIGHT


def test_a_player_chooses_at_the_foot_of_the_page_too(client: Client, anna: Player) -> None:
    client.force_login(anna)
    client.post(reverse("accounts:theme"), {"theme": "light", "next": "/rules/"})
    anna.refresh_from_db()
    assert anna.theme == Theme.LIGHT


@pytest.mark.parametrize("theme", ["pink", ""])
def test_what_nobody_offered_changes_nothing(client: Client, anna: Player, theme: str) -> None:
    client.force_login(anna)
    answer = client.post(reverse("accounts:theme"), {"theme": theme, "next": "https://elsewhere.example/"})
    anna.refresh_from_db()
    assert (answer["Location"], anna.theme, themes.COOKIE in answer.cookies) == ("/", Theme.DEVICE, False)


@pytest.mark.parametrize("name", ["nowhere", "games:lobby", "' OR 1=1 --", "."])
def test_what_is_no_address_is_not_looked_up_as_a_name(client: Client, name: str) -> None:
    answer = client.post(reverse("accounts:theme"), {"theme": "dark", "next": name})
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_a_cookie_that_says_nothing_known_is_passed_over(client: Client) -> None:
    client.cookies[themes.COOKIE] = "pink"
    assert look(Page(client.get("/"))) == DEVICE


def test_the_page_that_is_kept_for_later_is_as_the_device(client: Client) -> None:
    client.cookies[themes.COOKIE] = "dark"
    links = Page(client.get(reverse("offline"))).all("link[href*=night]")
    assert [link["media"] for link in links] == DEVICE[2]


def test_the_bar_of_the_browser_has_the_colour_of_the_header() -> None:
    css = Path(settings.BASE_DIR) / "static" / "css"
    sheets = [
        re.search(r"--sheet: (#\w+);", (css / name).read_text(encoding="utf-8"))
        for name in ("tokens.css", "night.css")
    ]
    assert [sheet and sheet[1] for sheet in sheets] == [themes.LIGHT_BAR, themes.DARK_BAR]
