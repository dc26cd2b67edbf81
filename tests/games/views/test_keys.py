"""Tests of the list of keys, and the preference to switch them off."""

import re

import pytest
from django.conf import settings
from django.test import Client

from tests.games.factories import make_player
from tests.html import Page

pytestmark = pytest.mark.django_db
SHOWN = {"Escape": "Esc", "ArrowLeft": "←", "ArrowRight": "→"}


def keys_in_use() -> set[str]:
    sources = [*settings.BASE_DIR.glob("templates/**/*.html"), *settings.BASE_DIR.glob("games/**/*.py")]
    pattern = re.compile(r"""data-key(?:=|": )"([^"{]+)\"""")
    return {key for source in sources for key in pattern.findall(source.read_text())}


def test_the_sheet_explains_every_key(client: Client) -> None:
    page = Page(client.get("/help/keys/"))
    assert page.text("h1") == "Keyboard"
    explained = page.texts(".keys dt kbd")
    keys = keys_in_use()
    assert {"m", "e", "?", "Home"} <= keys
    for key in keys:
        assert SHOWN.get(key, key) in explained


def test_htmx_gets_the_sheet_alone(client: Client) -> None:
    sheet = Page(client.get("/help/keys/", headers={"HX-Request": "true"}))
    assert sheet.roots()[0] == "form" and not sheet.has("html")
    assert sheet.text("form[method=dialog] h1#keys-heading") == "Keyboard"


def test_keys_can_be_switched_off(client: Client) -> None:
    anna = make_player("Anna")
    client.force_login(anna)
    assert Page(client.get("/games/")).has("body:not([data-keys])")
    client.post("/account/settings/", {"language": "en", "time_zone": "UTC", "theme": "device"})
    anna.refresh_from_db()
    assert not anna.shortcuts
    assert Page(client.get("/games/")).has("body[data-keys=off]")
