"""Context processors for all templates."""

from functools import cache, lru_cache, partial
from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from accounts.models import Player
from games.selectors.waiting import count_waiting_games


class NavigationLink(NamedTuple):
    """One entry of the main navigation."""

    sign: str  # drawn beside it, see static/img/signs.svg
    name: str
    short: str  # shorter name for narrow screens
    view: str  # by name
    key: str = ""  # keyboard shortcut


def site(request: HttpRequest) -> dict[str, object]:
    """Return the site's name, its main links and the current one, links that return to this page, and,
    computed only where shown, the number of games that wait for the visitor."""
    user = getattr(request, "user", None)  # an error page may be drawn before sign-in is looked at
    player = user if isinstance(user, Player) else None
    return {
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "site_links": _links(player is not None, get_language()),
        "here": request.path if request.path in _main_pages() else "",
        "games_waiting": cache(partial(count_waiting_games, player)) if player else 0,
        "own_url": player.get_absolute_url() if player else "",
        "webhooks_are_offered": settings.WEBHOOKS,
        "and_back": "" if player else _build_return_query(request),
        "privacy_url": settings.PRIVACY_URL or reverse("privacy"),
        "imprint_url": settings.IMPRINT_URL,
        "site_languages": tuple(settings.LANGUAGES),
        "push_is_offered": bool(settings.VAPID_PRIVATE_KEY),
        "mails_are_kept": settings.EMAIL_URL == settings.KEEP_MAILS and settings.DEBUG,
    }


@lru_cache(maxsize=20)
def _links(known: bool, language: str | None) -> tuple[NavigationLink, ...]:
    """Return the main navigation in *language*, the active one, for players or anonymous visitors."""
    lobby = NavigationLink("lobby", _("Lobby"), pgettext("bar", "Lobby"), "games:lobby")
    rules = NavigationLink("rules", _("Rules"), pgettext("bar", "Rules"), "games:rules")
    if not known:
        return lobby, rules
    mine = NavigationLink("games", _("My games"), pgettext("bar", "Games"), "games:mine", key="g")
    new = NavigationLink("new", _("New game"), pgettext("bar", "New"), "games:new")
    return mine, lobby, new, rules


@cache
def _main_pages() -> frozenset[str]:
    views = [link.view for link in _links(True, get_language())]
    return frozenset(map(reverse, [*views, "accounts:settings"]))


def _build_return_query(request: HttpRequest) -> str:
    """Return the query of the links to sign in and up that leads back to where the visitor wanted to go."""
    try:
        wanted = request.GET.get("next", "")
    except SuspiciousOperation:  # the page that refuses such a query is drawn here, too
        return ""
    if not wanted and request.method == "GET" and not request.path.startswith("/account/"):
        wanted = request.get_full_path()
    return f"?{urlencode({'next': wanted})}" if wanted not in {"", "/"} else ""
