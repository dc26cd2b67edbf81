"""Tests of the list of what guests may change: every other URL asks for an account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import IntConverter

from accounts.models import Player
from accounts.provisional import FOR_ACCOUNTS, MAY_CHANGE, create_guest

CREATE = "/account/create/"


def list_routes(resolver: URLResolver, namespace: str = "") -> Iterator[tuple[str, dict[str, object]]]:
    """Yield every named URL, with arguments that fit its converters."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern, f"{pattern.namespace or ''}:" if pattern.namespace else namespace)
        elif isinstance(pattern, URLPattern) and pattern.name:
            converters = pattern.pattern.converters
            yield (
                f"{namespace}{pattern.name}",
                {name: 1 if isinstance(kind, IntConverter) else "x" for name, kind in converters.items()},
            )


def find_address(name: str, values: dict[str, object]) -> str | None:
    """The URL of that *name*; ``None`` if its pattern isn't enough to build it."""
    for outer in ({}, {"code": "abcdefgh"}, {"slug": "x"}):
        with suppress(NoReverseMatch):
            return reverse(name, kwargs={**outer, **values})
    return None


ROUTES = {
    name: address
    for name, values in list_routes(get_resolver())
    if not name.startswith("admin:") and (address := find_address(name, values))
}


@pytest.fixture
def guest(db: None) -> Client:
    client = Client()
    client.force_login(create_guest(name="Zoe", language="en", time_zone="UTC"))
    return client


def test_the_addresses_of_games_leagues_moderation_and_accounts_are_found() -> None:
    assert len(ROUTES) > 150
    assert {"games:invite", "league:found", "moderation:desk", "accounts:close", "mfa_index"} <= set(ROUTES)


def test_what_is_listed_exists() -> None:
    named = {name for name, _values in list_routes(get_resolver())}
    assert (MAY_CHANGE | FOR_ACCOUNTS) - named == set()


def test_everything_else_asks_for_an_account(guest: Client) -> None:
    unasked = [
        name
        for name, address in sorted(ROUTES.items())
        if name not in MAY_CHANGE and guest.post(address).get("Location") != CREATE
    ]
    assert unasked == ["live", "metrics", "ready"], "answered before anybody is asked who they are"


def test_pages_that_are_nothing_but_such_a_form_do_too(guest: Client) -> None:
    assert {guest.get(ROUTES[name]).get("Location") for name in FOR_ACCOUNTS} == {CREATE}


def test_a_part_of_a_page_leads_there_too(guest: Client) -> None:
    response = guest.post(ROUTES["games:invite"], headers={"hx-request": "true"})
    assert response["HX-Redirect"] == CREATE


def test_nobody_else_is_asked(guest: Client) -> None:
    Player.objects.update(provisional=False)
    assert guest.post(ROUTES["games:invite"]).get("Location") != CREATE
    assert Client().post(ROUTES["games:new"]).get("Location") != CREATE
