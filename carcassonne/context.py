"""What every template may use."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _


class Link(NamedTuple):
    """One entry of the main navigation."""

    name: str
    url: str


def site(request: HttpRequest) -> dict[str, object]:
    """The site's name, its main links, and addresses that bring a visitor back to this page."""
    entries = [(_("Lobby"), "games:lobby"), (_("Rules"), "games:rules")]
    user = getattr(request, "user", None)  # an error page may be drawn before sign-in is looked at
    if user is not None and user.is_authenticated:
        entries = [(_("My games"), "games:mine"), entries[0], (_("New game"), "games:new"), entries[1]]
    return {
        "site_name": settings.SITE_NAME,
        "site_links": [Link(name, reverse(view)) for name, view in entries],
        "archive_url": reverse("games:archive"),
        "settings_url": reverse("accounts:settings"),
        "sign_in_url": _and_back(request, reverse("account_login")),
        "sign_up_url": _and_back(request, reverse("account_signup")),
        "mails_are_kept": settings.EMAIL_URL == settings.KEEP_MAILS and settings.DEBUG,
    }


def _and_back(request: HttpRequest, url: str) -> str:
    """*url*, which afterwards leads to where the visitor wanted to go."""
    wanted = request.GET.get("next", "")
    if not wanted and request.method == "GET" and not request.path.startswith("/account/"):
        wanted = request.get_full_path()
    return f"{url}?{urlencode({'next': wanted})}" if wanted not in {"", "/"} else url
