"""Tests of the limit on expensive pages for visitors who are not signed in."""

from __future__ import annotations

import csv
import secrets
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.pages.parts.thumbnails import build_thumbnail_url
from games.selectors.seats import load_seats_of
from tests.games.factories import make_game, make_player, new_process, play_turns

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parents[1] / "permissions" / "permissions.csv"
CHEAP = {
    # Forms, signs and texts that ask no query of games.
    "account_inactive", "account_login", "account_password_reset_completed", "account_request_login_code",
    "account_reset_password", "account_signup", "games:home", "games:icon", "games:keys", "games:rules",
    "manifest", "offline", "privacy", "security_txt", "worker",
    # Looked at once a second at most.
    "live", "ready",
    # Secrets, whose guessing is limited.
    "games:invitation", "games:unsubscribe",
    # Limited where it isn't known by heart: see below.
    "games:table", "games:thumbnail",
    # Kept by version, or as cheap as a row.
    "games:talk", "games:gallery", "moderation:moderation", "games:seats",
    # Pages of which one shows twenty rows.
    "league:announcements",
}  # fmt: skip
"""Names of URLs that anybody may request as often as they like."""

FOR_SCRIPTS = {"games:show"}
"""Names of URLs that redirect unless a script requests them."""


@pytest.fixture(autouse=True)
def counts_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a key prefix of this test's own: clearing Redis would reset the counts of other tests."""
    monkeypatch.setattr(caches["searches"], "key_prefix", secrets.token_hex(8))


def open_pages() -> set[str]:
    """The names of the URLs that anybody may open."""
    with TABLE.open() as table:
        rows = [row for row in csv.DictReader(table) if row["method"] == "GET" and row["anonymous"] == "200"]
    return {row["address"].split(" ")[0] for row in rows}


def slow_pages() -> set[str]:
    """The names of the URLs that ``slows_reading`` limits."""

    def walk(resolver: URLResolver, space: str) -> set[str]:
        names: set[str] = set()
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLResolver):
                names |= walk(pattern, pattern.namespace or space)
            elif isinstance(pattern, URLPattern) and getattr(pattern.callback, "slows_reading", False):
                names.add(f"{space}:{pattern.name}" if space else str(pattern.name))
        return names

    return walk(get_resolver(), "")


def test_every_page_that_anybody_may_open_is_cheap_or_limited() -> None:
    shown, slow = open_pages(), slow_pages()
    assert len(shown) > 50
    assert shown - slow == CHEAP
    assert not slow & CHEAP
    assert slow >= FOR_SCRIPTS


@pytest.mark.parametrize("page", ["/archive/", "/lobby/", "/players/Anna/", "/ratings/", "/leagues/"])
def test_a_network_reads_so_many_pages_a_minute_and_players_go_on(
    client: Client, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.ACCOUNT_RATE_LIMITS, "read", "2/m/ip")
    make_game()
    assert [client.get(page).status_code for _ in range(3)] == [200, 200, 429]
    assert client.get(page)["Retry-After"] == "60"
    client.force_login(make_player("Zoe"))
    assert client.get(page).status_code == 200


def test_an_account_reads_so_many_pages_a_minute_wherever_it_is_signed_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(settings.ACCOUNT_RATE_LIMITS, "read_signed_in", "3/m/user")
    make_game()
    zoe = make_player("Zoe")
    home, away = Client(REMOTE_ADDR="10.0.0.1"), Client(REMOTE_ADDR="10.0.0.2")
    home.force_login(zoe)
    away.force_login(zoe)
    assert [home.get("/archive/").status_code for _ in range(2)] == [200, 200]
    assert [away.get("/lobby/").status_code for _ in range(2)] == [200, 429]
    other = Client(REMOTE_ADDR="10.0.0.1")
    other.force_login(make_player("Yan"))
    assert other.get("/lobby/").status_code == 200


def test_small_pictures_drawn_for_a_player_are_counted(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.ACCOUNT_RATE_LIMITS, "draw_signed_in", "2/m/user")
    pictures = [
        build_thumbnail_url(game, load_seats_of(game))
        for game in [play_turns(make_game(), 3) for _ in range(3)]
    ]
    client.force_login(make_player("Zoe"))
    new_process()
    assert [client.get(picture).status_code for picture in pictures] == [200, 200, 429]


def test_what_a_game_shows_is_counted_together(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.ACCOUNT_RATE_LIMITS, "read", "5/m/ip")
    game = play_turns(make_game(), 3)
    pages = ["ply/2/", "text/", "features/", "layer/", "board.svg", "scores/"]
    answers = [client.get(f"/g/{game.code}/{page}").status_code for page in pages]
    assert answers == [200] * 5 + [429]
    assert client.get(f"/g/{game.code}/").status_code == 200  # the board itself is kept


def test_first_looks_at_one_game_after_the_other_are_counted(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.ACCOUNT_RATE_LIMITS, "read", "2/m/ip")
    addresses = [f"/g/{play_turns(make_game(), 3).code}/" for _ in range(3)]
    new_process()
    assert [client.get(page).status_code for page in addresses] == [200, 200, 429]
    assert client.get(addresses[0]).status_code == 200  # its position is remembered
    assert client.get(addresses[0], {"show": "spaces"}).status_code == 429
    by_script = {"HX-Request": "true"}
    assert client.get(f"{addresses[0]}show/spaces/", {"ply": 1}, headers=by_script).status_code == 429
    client.force_login(make_player("Zoe"))
    assert client.get(addresses[2]).status_code == 200


def test_nothing_new_is_told_however_often_a_page_asks(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.ACCOUNT_RATE_LIMITS, "read", "1/m/ip")
    game = play_turns(make_game(), 3)
    new_process()
    for _ in range(3):
        asked = client.get(f"/g/{game.code}/", {"since": f"{game.version}.0"}, headers={"HX-Request": "true"})
        assert asked.status_code == 204


def test_small_pictures_that_are_drawn_are_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.ACCOUNT_RATE_LIMITS, "draw", "2/m/ip")
    games = [play_turns(make_game(), 3) for _ in range(3)]
    pictures = [build_thumbnail_url(game, load_seats_of(game)) for game in games]
    new_process()
    answers = [client.get(picture) for picture in pictures]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2]["Retry-After"] == "60"
    assert [client.get(pictures[0]).status_code for _ in range(3)] == [200] * 3  # it is kept
    client.force_login(make_player("Zoe"))
    assert client.get(pictures[2]).status_code == 200


def test_240_pages_and_600_small_pictures_a_minute_and_twice_as_much_for_players() -> None:
    assert settings.ACCOUNT_RATE_LIMITS["read_signed_in"] == "600/m/user"
    assert settings.ACCOUNT_RATE_LIMITS["draw_signed_in"] == "1200/m/user"
    assert settings.ACCOUNT_RATE_LIMITS["read"] == "240/m/ip"
    assert settings.ACCOUNT_RATE_LIMITS["draw"] == "600/m/ip"
