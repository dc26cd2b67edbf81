"""Tests of error pages."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path, reverse

from carcassonne.urls import urlpatterns as ours
from tests.html import Page

pytestmark = pytest.mark.django_db


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("broken")


urlpatterns = [*ours, path("broken/", broken)]


def test_an_address_with_nothing_behind_it(client: Client) -> None:
    response = client.get("/nothing/here/")
    assert response.status_code == 404
    page = Page(response)
    assert page.text("main h1") == "No tile here"
    assert reverse("games:lobby") in page.links("header nav a")


def test_a_form_that_was_open_too_long_says_how_to_go_on() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post(reverse("account_login"), {"login": "a@example.org", "password": "x"})
    assert response.status_code == 403
    page = Page(response)
    assert page.text("main h1") == "Please send it again"
    assert any(link.endswith("css/every_page.css") for link in page.links("link[rel=stylesheet]"))


def test_a_query_of_too_many_parts_is_refused_in_words(client: Client) -> None:
    response = client.get(reverse("account_login") + "?" + "&".join(["a=1"] * 1001))
    assert (response.status_code, Page(response).text("main h1")) == (400, "We couldn't read this")


@pytest.mark.urls(__name__)
def test_a_fault_of_ours_is_an_apology_and_no_trace(client: Client) -> None:
    client.raise_request_exception = False
    response = client.get("/broken/")
    assert response.status_code == 500
    page = Page(response)
    assert page.text("main h1") == "Something broke"
    assert not page.mentions("RuntimeError")


def test_every_page_has_a_strict_policy(client: Client) -> None:
    policy = client.get("/nothing/here/")["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_too_many_tries_are_told_to_wait(client: Client) -> None:
    for _ in range(61):
        response = client.post(reverse("account_signup"), {"email": "nobody"})
    assert response.status_code == 429
    assert Page(response).text("main h1") == "Please wait a moment"
