"""Tests that the page on privacy matches the code, and that every page links to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse

from carcassonne.privacy import periods
from tests.games.factories import make_player
from tests.html import Page, words

TEMPLATES = Path(settings.BASE_DIR) / "templates"
DOCUMENT = Path(settings.BASE_DIR) / "docs" / "privacy.md"
ROOTS = {"base.html", "apology.html"}
"""Base templates with the footer; mails and the admin have their own."""
ALONE = {
    "offline.html": "is shown without a connection",
    "400.html": "is shown where nothing of the request may be believed",
    "mails/base.html": "is a mail",
}

pytestmark = pytest.mark.django_db


def links(page: Page, selector: str) -> dict[str, str]:
    """The URLs of the links within *selector*, by their texts."""
    return {words(link): str(link["href"]) for link in page.all(f"{selector} a[href]")}


def root_of(name: str) -> str:
    """The template that draws the whole page for *name*; empty for parts."""
    text = (TEMPLATES / name).read_text()
    extended = re.search(r"{% extends \"([^\"]+)\" %}", text)
    if extended is not None:
        there = TEMPLATES / extended[1]
        return extended[1] if not there.exists() or extended[1] == name else root_of(extended[1])
    return name if "<html" in text else ""


def test_every_page_has_the_foot_of_a_root() -> None:
    roots = {root_of(path.relative_to(TEMPLATES).as_posix()) for path in TEMPLATES.rglob("*.html")}
    roots = {root for root in roots if not root.startswith(("account/", "allauth/"))} - {""}
    assert roots == ROOTS | set(ALONE) | {"admin/base_site.html"}
    for path in TEMPLATES.rglob("*.html"):
        if path.relative_to(TEMPLATES).as_posix() not in ROOTS:
            assert "block foot" not in path.read_text() or path.parent.name == "admin", path


@pytest.mark.parametrize(
    "address", ["/", "/lobby/", "/account/login/", "/account/signup/", "/privacy/", "/nothing/"]
)
def test_its_link_is_at_the_foot(client: Client, address: str) -> None:
    page = Page(client.get(address, follow=True))
    assert links(page, "#foot").get("Privacy") == "/privacy/"
    assert "Imprint" not in links(page, "#foot")


def test_it_is_at_the_foot_of_apologies_and_the_admin(client: Client) -> None:
    from django.template.loader import render_to_string

    for name in ("500.html", "503.html"):
        assert 'href="/privacy/"' in render_to_string(name)
    client.force_login(make_player("Boss", is_staff=True, is_superuser=True))
    assert "/privacy/" in Page(client.get("/admin/")).links("a")


@override_settings(PRIVACY_URL="https://example.org/privacy", IMPRINT_URL="https://example.org/imprint")
def test_the_operators_own_pages_are_named_instead(client: Client) -> None:
    page = Page(client.get("/account/signup/"))
    assert links(page, "#foot")["Privacy"] == links(page, "form")["Privacy"] == "https://example.org/privacy"
    assert links(page, "#foot")["Imprint"] == "https://example.org/imprint"
    assert client.get("/privacy/").headers["Location"] == "https://example.org/privacy"


def test_the_sign_up_form_leads_to_it(client: Client) -> None:
    assert links(Page(client.get(reverse("account_signup"))), "main form")["Privacy"] == "/privacy/"


@override_settings(IMPRINT_URL="https://example.org/imprint")
def test_the_page_says_who_it_is(client: Client) -> None:
    assert links(Page(client.get("/privacy/")), "main")["Imprint"] == "https://example.org/imprint"


def test_page_and_document_say_how_long_the_program_keeps_things(client: Client) -> None:
    page, document = Page(client.get("/privacy/")).text("main"), DOCUMENT.read_text()
    for name, days in periods().items():
        assert f"{days} days" in page, name
        assert re.search(rf"\| `{name}` \|[^|]*\| {days} days \|", document), name


def test_every_cookie_is_in_the_document() -> None:
    document = DOCUMENT.read_text()
    written = (Path(settings.BASE_DIR) / "carcassonne" / "settings.py").read_text()
    named = re.findall(r'_COOKIE_NAME = f"{HOST_ONLY}(\w+)"', written)
    assert len(named) == written.count("_COOKIE_NAME = ") == 6
    for name in named:
        assert f"| `{name}` |" in document, name
