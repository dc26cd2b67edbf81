"""Colour themes: light, dark or as the device."""

from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import get_language

from accounts.models import Theme

COOKIE = settings.THEME_COOKIE_NAME
A_YEAR = 60 * 60 * 24 * 365
DARK_DEVICE = "(prefers-color-scheme: dark)"
LIGHT_BAR, DARK_BAR = "#fbf4e3", "#29221a"  # --sheet in static/css, which the header has


class BrowserBar(NamedTuple):
    """Colour of the browser's own bar, and the screens that it is for."""

    colour: str
    media: str = ""


class PageColours(NamedTuple):
    """Colours of a page, as its head says them."""

    theme: str
    scheme: str  # for fields and scroll bars that the browser draws
    night: str  # the screens that get night.css; empty if none do
    bars: tuple[BrowserBar, ...]


LOOKS: dict[str, PageColours] = {
    Theme.DEVICE: PageColours(
        "device",
        "light dark",
        f"screen and {DARK_DEVICE}",
        (BrowserBar(LIGHT_BAR, "(prefers-color-scheme: light)"), BrowserBar(DARK_BAR, DARK_DEVICE)),
    ),
    Theme.LIGHT: PageColours("light", "light", "", (BrowserBar(LIGHT_BAR),)),
    Theme.DARK: PageColours("dark", "dark", "screen", (BrowserBar(DARK_BAR),)),
}


def look_of(request: HttpRequest) -> PageColours:
    """Return the colours for *request*, chosen by its player or by its cookie."""
    user = getattr(request, "user", None)
    known = user if user is not None and user.is_authenticated else None
    chosen = known.theme if known else request.COOKIES.get(COOKIE, "")
    return LOOKS.get(chosen, LOOKS[Theme.DEVICE])


def remember(response: HttpResponseBase, theme: str) -> None:
    """Set a cookie, so that the browser keeps *theme* after its player has signed out."""
    response.set_cookie(
        COOKIE, theme, max_age=A_YEAR, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )


def context(request: HttpRequest) -> dict[str, object]:
    """Return context variables for every template: the colours of this page, and all themes."""
    return {"look": look_of(request), "themes": _choices(get_language())}


@cache
def _choices(language: str | None) -> tuple[tuple[str, str], ...]:
    """All themes with their names in *language*, which is active; an argument for the cache alone."""
    return tuple((value, str(name)) for value, name in Theme.choices)
