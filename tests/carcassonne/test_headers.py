"""Tests of headers of responses, and of well-known URLs."""

from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from carcassonne import settings as public
from tests.games.factories import make_game, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return make_players(1)[0]


def test_no_browser_keeps_a_private_page(client: Client, anna: Player) -> None:
    game = make_game()
    client.force_login(anna)
    for page in (reverse("games:mine"), reverse("accounts:settings"), f"/g/{game.code}/", "/lobby/"):
        assert {"private", "no-store"} <= set(client.get(page)["Cache-Control"].split(", "))
    client.logout()
    assert "no-store" not in client.get("/lobby/")["Cache-Control"]


def test_what_has_an_etag_is_still_asked_for_anew_only(client: Client, anna: Player) -> None:
    game = make_game()
    client.force_login(anna)
    picture = reverse("games:svg", args=[game.code])
    first = client.get(picture)
    assert "no-store" not in first["Cache-Control"]
    assert client.get(picture, headers={"if-none-match": first["ETag"]}).status_code == 304


def test_signing_out_clears_what_the_browser_kept(client: Client, anna: Player) -> None:
    client.force_login(anna)
    assert "Clear-Site-Data" not in client.get("/lobby/").headers
    assert client.post(reverse("account_logout"))["Clear-Site-Data"] == '"cache"'
    assert "Clear-Site-Data" not in client.get("/lobby/").headers
    client.force_login(anna)
    Player.objects.update(session_round=1)  # signed out everywhere, from elsewhere
    assert client.get("/lobby/")["Clear-Site-Data"] == '"cache"'


def test_every_answer_says_what_pages_never_ask_for(client: Client) -> None:
    for page in ("/", "/nowhere/", "/sw.js"):
        policy = client.get(page)["Permissions-Policy"]
        assert "camera=()" in policy and "publickey-credentials-get=(self)" in policy


def test_static_files_carry_no_more_than_they_must(client: Client) -> None:
    assert "Permissions-Policy" not in client.get("/static/css/site.css").headers


@pytest.mark.parametrize("what", ["SESSION", "CSRF", "LANGUAGE", "THEME", "KNOWN"])
def test_cookies_of_a_public_site_are_this_hosts_alone(what: str) -> None:
    assert getattr(public, f"{what}_COOKIE_NAME").startswith("__Host-")
    assert getattr(public, f"{what}_COOKIE_SECURE", public.SESSION_COOKIE_SECURE)
    assert getattr(settings, f"{what}_COOKIE_PATH", "/") == "/", "which browsers insist on"
    assert getattr(settings, f"{what}_COOKIE_DOMAIN", None) is None


def test_finders_of_holes_are_told_whom_to_write_to(client: Client) -> None:
    answer = client.get("/.well-known/security.txt")
    told = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert told["Contact"] == "mailto:security@carcassonne.example"
    assert told["Canonical"] == "https://carcassonne.example/.well-known/security.txt"
    assert datetime.strptime(told["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) > timezone.now()
    assert client.get("/.well-known/change-password").url == reverse("account_change_password")
