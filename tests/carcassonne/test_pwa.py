"""Tests of the manifest, and of what the service worker may cache."""

import json
import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from PIL import Image

from carcassonne import pwa
from carcassonne.management.commands.icons import ICONS
from tests.games.factories import make_game, make_players
from tests.html import Page

pytestmark = pytest.mark.django_db


def kept(client) -> dict:
    (listed,) = re.findall(r"=(\{.*\});importScripts\(", client.get("/sw.js").content.decode())
    return json.loads(listed)


class TestManifest:
    def test_says_what_to_install(self, client):
        response = client.get("/manifest.webmanifest")
        assert response["Content-Type"] == "application/manifest+json"
        manifest = response.json()
        assert (manifest["start_url"], manifest["scope"], manifest["display"]) == (
            "/games/",
            "/",
            "standalone",
        )
        assert manifest["name"] == settings.SITE_NAME and len(manifest["short_name"]) <= 12
        assert {"any", "maskable"} == {icon["purpose"] for icon in manifest["icons"]}
        for icon in manifest["icons"]:
            with Image.open(finders.find(icon["src"].removeprefix("/static/"))) as picture:
                assert f"{picture.width}x{picture.height}" == icon["sizes"]

    def test_its_shortcuts_lead_somewhere(self, client):
        client.force_login(make_players(1)[0])
        for shortcut in client.get("/manifest.webmanifest").json()["shortcuts"]:
            assert client.get(shortcut["url"]).status_code in {200, 302}

    def test_is_named_on_every_page(self, client):
        page = Page(client.get("/"))
        assert page.links("head link[rel=manifest]") == ["/manifest.webmanifest"]
        assert page.links("head link[rel=apple-touch-icon]") == ["/static/img/apple-touch-icon.png"]

    def test_icons_that_are_cut_have_paper_behind_them(self):
        for name, _width, _share, paper in ICONS:
            with Image.open(finders.find(f"img/{name}.png")) as picture:
                assert (picture.convert("RGBA").getpixel((0, 0))[3] == 255) is paper


class TestWorker:
    def test_is_served_for_the_whole_site_and_never_kept_itself(self, client):
        response = client.get("/sw.js")
        assert response["Content-Type"].startswith("text/javascript")
        assert response["Cache-Control"] == "no-cache"
        assert client.get("/sw.js", headers={"If-None-Match": response["ETag"]}).status_code == 304

    def test_keeps_all_that_pages_are_made_of(self, client):
        game = make_game()
        client.force_login(make_players(1)[0])
        files = set(kept(client)["files"])
        for url in ("/games/", "/lobby/", "/rules/", "/new/", f"/g/{game.code}/", "/offline/"):
            response = client.get(url)
            assert response.status_code == 200, url
            values = [str(element[name]) for element in Page(response).all("*") for name in element.attrs]
            named = {path for value in values for path in re.findall(r"/static/[\w./-]+", value)}
            assert named and not named - files, (url, named - files)

    def test_fetches_only_what_the_page_for_no_connection_needs_before_a_page_asks(self, client):
        page = Page(client.get("/offline/"))
        named = {*page.links("link[href]"), *(script["src"] for script in page.all("script"))}
        assert {"/static/css/every_page.css", "/static/js/kept_boards.js", "/static/img/tower.svg"} <= named
        assert set(kept(client)["first"]) == named

    def test_a_release_is_a_new_version(self, client, monkeypatch):
        before = kept(client)["version"]
        assert kept(client)["version"] == before
        monkeypatch.setattr(pwa, "shell", lambda: ["/static/css/site.0123456789ab.css"])
        assert kept(client)["version"] != before

    def test_what_it_shows_from_memory_is_as_strict_as_the_site(self, client):
        policy = client.get("/")["Content-Security-Policy"]
        kept_policy = kept(client)["headers"]["Content-Security-Policy"]
        assert sorted(policy.split("; ")) == kept_policy.split("; ")

    def test_the_page_for_no_connection_has_nothing_personal(self, client):
        stranger = client.get("/offline/")
        anna = make_players(1)[0]
        make_game()
        client.force_login(anna)
        assert client.get("/offline/").content == stranger.content
        page = Page(stranger)
        assert page.text("h1") == "No connection" and not page.has("form, input, [hx-headers]")
        assert not page.mentions("csrf") and not page.mentions("Anna")


class TestPages:
    def test_say_whose_they_are(self, client):
        assert Page(client.get("/lobby/")).one("body")["data-player"] == ""
        anna = make_players(1)[0]
        client.force_login(anna)
        assert Page(client.get("/lobby/")).one("body")["data-player"] == str(anna.pk)

    def test_only_the_board_of_a_player_may_be_kept(self, client):
        game = make_game()
        anna = make_players(1)[0]
        page = Page(client.get(f"/g/{game.code}/"))
        assert page.has("#board-map") and not page.has("#memory")
        client.force_login(anna)
        response = client.get(f"/g/{game.code}/")
        assert Page(response).has("#memory[hidden]")
        assert b'<p id="memory" hidden' in response.content, "letter by letter: so looks the worker"
        for url in ("/games/", f"/g/{game.code}/scores/", "/account/settings/"):
            page = Page(client.get(url))
            assert page.has("main h1") and not page.has("#memory")
