"""What every template may use."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.selectors.waiting import waiting_games


class Link(NamedTuple):
    """One entry of the main navigation."""

    sign: str  # drawn beside it, see static/img/signs.svg
    name: str
    short: str  # where there is little room
    url: str
    key: str = ""  # that follows it


def site(request: HttpRequest) -> dict[str, object]:
    """The site's name, its main links, addresses that bring a visitor back to this page, and, asked for only
    where it is shown, the number of games that wait for the visitor."""
    games_waiting: object = 0
    own_url = ""
    lobby = Link("lobby", _("Lobby"), pgettext("bar", "Lobby"), reverse("games:lobby"))
    rules = Link("rules", _("Rules"), pgettext("bar", "Rules"), reverse("games:rules"))
    links = [lobby, rules]
    user = getattr(request, "user", None)  # an error page may be drawn before sign-in is looked at
    if user is not None and user.is_authenticated:
        games_waiting = SimpleLazyObject(lambda: len(waiting_games(user)))
        own_url = reverse("games:player", args=[user.username])
        mine = Link("games", _("My games"), pgettext("bar", "Games"), reverse("games:mine"), key="g")
        new = Link("new", _("New game"), pgettext("bar", "New"), reverse("games:new"))
        links = [mine, lobby, new, rules]
    return {
        "site_name": settings.SITE_NAME,
        "site_links": links,
        "games_waiting": games_waiting,
        "archive_url": reverse("games:archive"),
        "keys_url": reverse("games:keys"),
        "next_url": reverse("games:next"),
        "own_url": own_url,
        "settings_url": reverse("accounts:settings"),
        "sign_in_url": _and_back(request, reverse("account_login")),
        "sign_up_url": _and_back(request, reverse("account_signup")),
        "site_languages": settings.LANGUAGES,
        "mails_are_kept": settings.EMAIL_URL == settings.KEEP_MAILS and settings.DEBUG,
    }


def _and_back(request: HttpRequest, url: str) -> str:
    """*url*, which afterwards leads to where the visitor wanted to go."""
    wanted = request.GET.get("next", "")
    if not wanted and request.method == "GET" and not request.path.startswith("/account/"):
        wanted = request.get_full_path()
    return f"{url}?{urlencode({'next': wanted})}" if wanted not in {"", "/"} else url
