"""A player's private feeds, at secret addresses, and the page with these."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from hashlib import sha256
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import feed_secrets
from accounts.limits import slows_guessing, slows_reading
from accounts.models import Player
from accounts.requests import PlayerRequest
from core.outputs import PlainFeed
from games.conduct.active_sanctions import find_suspension_end
from games.pages.own_feeds import NewsEntry, build_addresses, build_calendar, list_news


@login_required
@require_safe
def own_feeds(request: PlayerRequest) -> HttpResponse:
    """Show the addresses of the player's feeds, if there are any."""
    secret = feed_secrets.find_secret(request.user)
    context = {"addresses": None if secret is None else build_addresses(secret)}
    return render(request, "games/own_feeds.html", context)


@login_required
@require_POST
def renew_feeds(request: PlayerRequest) -> HttpResponse:
    """Give the player's feeds new addresses."""
    feed_secrets.make_secret(request.user, now=timezone.now())
    messages.success(request, _("Your feeds have new addresses."))
    return redirect("games:feeds")


@login_required
@require_POST
def switch_off_feeds(request: PlayerRequest) -> HttpResponse:
    """Delete the addresses of the player's feeds."""
    feed_secrets.delete_secret(request.user)
    messages.success(request, _("Your feeds are switched off."))
    return redirect("games:feeds")


def private_feed(
    write: Callable[[HttpRequest, Player, str], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """Return a view of the feed that *write* writes for the player of a token, in their language and time
    zone.

    Unchanged feeds are not sent again: clients keep an ETag even if they may not store the feed.
    """

    @slows_reading
    @require_safe
    @slows_guessing
    @wraps(write)
    def respond(request: HttpRequest, token: str) -> HttpResponse:
        player = _get_player_or_404(token, timezone.now())
        with translation.override(player.language), timezone.override(ZoneInfo(player.time_zone)):
            written = write(request, player, token)
        etag = f'"{sha256(written.content).hexdigest()[:32]}"'
        response = get_conditional_response(request, etag=etag) or written
        response["ETag"] = etag
        response["X-Robots-Tag"] = "noindex"
        patch_cache_control(response, private=True, no_store=True)
        return response

    return respond


def _get_player_or_404(token: str, now: datetime) -> Player:
    secret = feed_secrets.find_by_token(token)
    if secret is None or find_suspension_end(secret.player, now) is not None:
        raise Http404
    return secret.player


class NewsFeed(Feed):
    """A player's news, for a given player and token."""

    feed_type = PlainFeed

    def get_object(self, request: HttpRequest, player: Player, token: str) -> tuple[Player, str]:
        return player, token

    def title(self, shown: tuple[Player, str]) -> str:
        return _("{player} at {site}").format(player=shown[0], site=settings.SITE_NAME)

    def subtitle(self) -> str:
        return _("Games that wait for you, and what has happened")

    def author_name(self) -> str:
        return settings.SITE_NAME

    def feed_guid(self, shown: tuple[Player, str]) -> str:
        return _build_id(f"player-{shown[0].pk}")

    def link(self) -> str:
        return settings.SITE_URL + reverse("games:mine")

    def feed_url(self, shown: tuple[Player, str]) -> str:
        return settings.SITE_URL + reverse("games:private_news", args=[shown[1]])

    def items(self, shown: tuple[Player, str]) -> list[NewsEntry]:
        return list_news(shown[0], timezone.now())

    def item_title(self, entry: NewsEntry) -> str:
        return entry.title

    def item_description(self, entry: NewsEntry) -> str:
        return entry.text

    def item_link(self, entry: NewsEntry) -> str:
        return settings.SITE_URL + entry.url

    def item_guid(self, entry: NewsEntry) -> str:
        return _build_id(entry.id)

    def item_updateddate(self, entry: NewsEntry) -> datetime:
        return entry.at

    def item_pubdate(self, entry: NewsEntry) -> datetime:
        return entry.at


@private_feed
def private_news(request: HttpRequest, player: Player, token: str) -> HttpResponse:
    """Return the feed of the games that wait for a player, and their news."""
    answer: HttpResponse = NewsFeed()(request, player=player, token=token)
    del answer["Last-Modified"]  # deadlines move without it
    return answer


@private_feed
def private_calendar(request: HttpRequest, player: Player, token: str) -> HttpResponse:
    """Return a calendar of a player's deadlines, holidays and dates."""
    return HttpResponse(build_calendar(player, timezone.now()), content_type="text/calendar; charset=utf-8")


def _build_id(name: str) -> str:
    """Return an id that does not depend on the site's address (RFC 4151)."""
    return f"tag:{settings.SITE_HOST},2026:{name}"
