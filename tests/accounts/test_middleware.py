"""Tests of the player's language and time zone on pages."""

from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import timezone, translation

from accounts.middleware import personal
from accounts.models import Player


def seen(player: object) -> tuple[str, str]:
    """The time zone and language that a view gets."""
    contexts: list[tuple[str, str]] = []

    def view(request: HttpRequest) -> HttpResponse:
        contexts.append((timezone.get_current_timezone_name(), translation.get_language() or ""))
        return HttpResponse()

    request = RequestFactory().get("/")
    request.user = player  # type: ignore[assignment]
    with translation.override("en"):
        personal(view)(request)
    return contexts[0]


def test_a_players_zone_and_language_are_active() -> None:
    assert seen(Player(username="anna", language="pl", time_zone="Asia/Tokyo")) == ("Asia/Tokyo", "pl")


def test_they_are_gone_with_the_request() -> None:
    seen(Player(username="anna", language="pl", time_zone="Asia/Tokyo"))
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_guest_keeps_the_browsers_language() -> None:
    from django.contrib.auth.models import AnonymousUser

    assert seen(AnonymousUser()) == ("UTC", "en")
