"""The sheet of keys, and the preference to have none."""

import re

import pytest
from django.conf import settings
from django.test import Client

from tests.games.factories import make_player

pytestmark = pytest.mark.django_db
SHOWN = {"Escape": "Esc", "ArrowLeft": "←", "ArrowRight": "→"}


def keys_in_use() -> set[str]:
    sources = [*settings.BASE_DIR.glob("templates/**/*.html"), *settings.BASE_DIR.glob("games/**/*.py")]
    found = re.compile(r"""data-key(?:=|": )"([^"{]+)\"""")
    return {key for source in sources for key in found.findall(source.read_text())}


def test_the_sheet_explains_every_key(client: Client) -> None:
    page = client.get("/help/keys/").content.decode()
    assert "<h1>Keyboard</h1>" in page
    keys = keys_in_use()
    assert {"m", "e", "?", "Home"} <= keys
    for key in keys:
        assert f"<kbd>{SHOWN.get(key, key)}</kbd>" in page, key


def test_htmx_gets_the_sheet_alone(client: Client) -> None:
    sheet = client.get("/help/keys/", headers={"HX-Request": "true"}).content.decode()
    assert '<h1 id="keys-heading">Keyboard</h1>' in sheet and "<html" not in sheet
    assert '<form method="dialog"' in sheet


def test_keys_can_be_switched_off(client: Client) -> None:
    anna = make_player("Anna")
    client.force_login(anna)
    assert 'data-keys="off"' not in client.get("/games/").content.decode()
    client.post("/account/settings/", {"language": "en", "time_zone": "UTC"})
    anna.refresh_from_db()
    assert not anna.shortcuts
    assert 'data-keys="off"' in client.get("/games/").content.decode()
