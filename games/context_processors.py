"""What every template may use."""

from functools import cache, lru_cache, partial
from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from accounts.models import Player
from games.pages.conduct import conduct_line
from games.selectors.waiting import number_waiting


class Link(NamedTuple):
    """One entry of the main navigation."""

    sign: str  # drawn beside it, see static/img/signs.svg
    name: str
    short: str  # where there is little room
    url: str
    key: str = ""  # that follows it


def site(request: HttpRequest) -> dict[str, object]:
    """The site's name, its main links and which of them is open, addresses that bring a visitor back to this
    page; and, asked for only where they are shown, the number of games that wait for the visitor, and what
    moderators have told them."""
    user = getattr(request, "user", None)  # an error page may be drawn before sign-in is looked at
    player = user if isinstance(user, Player) else None
    return {
        "site_name": settings.SITE_NAME,
        "site_links": _links(player is not None, get_language()),
        "here": request.path if request.path in _main_pages() else "",
        "games_waiting": cache(partial(number_waiting, player)) if player else 0,
        "conduct_line": cache(partial(_conduct_line, player)) if player and player.sanctioned else "",
        "own_url": reverse("games:player", args=[player.username]) if player else "",
        "settings_url": reverse("accounts:settings"),
        "sign_in_url": "" if player else _and_back(request, reverse("account_login")),
        "sign_up_url": "" if player else _and_back(request, reverse("account_signup")),
        "privacy_url": settings.PRIVACY_URL or reverse("privacy"),
        "imprint_url": settings.IMPRINT_URL,
        "site_languages": tuple(settings.LANGUAGES),
        "mails_are_kept": settings.EMAIL_URL == settings.KEEP_MAILS and settings.DEBUG,
    }


def _conduct_line(player: Player) -> str:
    return conduct_line(player, timezone.now())


@lru_cache(maxsize=20)
def _links(known: bool, language: str | None) -> tuple[Link, ...]:
    """The main navigation in *language*, which is active, of somebody who has signed in or of a stranger."""
    lobby = Link("lobby", _("Lobby"), pgettext("bar", "Lobby"), reverse("games:lobby"))
    rules = Link("rules", _("Rules"), pgettext("bar", "Rules"), reverse("games:rules"))
    if not known:
        return lobby, rules
    mine = Link("games", _("My games"), pgettext("bar", "Games"), reverse("games:mine"), key="g")
    new = Link("new", _("New game"), pgettext("bar", "New"), reverse("games:new"))
    return mine, lobby, new, rules


@cache
def _main_pages() -> frozenset[str]:
    """The addresses that the header says one is at."""
    return frozenset({*(link.url for link in _links(True, get_language())), reverse("accounts:settings")})


def _and_back(request: HttpRequest, url: str) -> str:
    """*url*, which afterwards leads to where the visitor wanted to go."""
    try:
        wanted = request.GET.get("next", "")
    except SuspiciousOperation:  # the page that refuses such a query is drawn here, too
        return url
    if not wanted and request.method == "GET" and not request.path.startswith("/account/"):
        wanted = request.get_full_path()
    return f"{url}?{urlencode({'next': wanted})}" if wanted not in {"", "/"} else url
