"""A player's private feeds, at secret addresses, and the page with these."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from hashlib import sha256

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
from core.time_zones import load_zone
from games.conduct.active_sanctions import find_suspension_end
from games.models import Game, Notice
from games.pages.own_feeds import build_calendar, name_turn
from games.selectors.own_notices import LATEST, link_notices, load_news
from games.selectors.waiting import load_waiting_games
from games.words.grammar import capitalise
from games.words.times import format_when_and_zone


@login_required
@require_safe
def own_feeds(request: PlayerRequest) -> HttpResponse:
    """Show the addresses of the player's feeds, if there are any."""
    secret = feed_secrets.find_secret(request.user)
    context = {
        "secret": secret,
        "token": secret and feed_secrets.build_token(secret),
        "site_host": settings.SITE_URL.partition(":")[2],
    }
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
        with translation.override(player.spoken_language), timezone.override(load_zone(player.time_zone)):
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
        return _("Games waiting for you, and what's new")

    def author_name(self) -> str:
        return settings.SITE_NAME

    def feed_guid(self, shown: tuple[Player, str]) -> str:
        return _build_id(f"player-{shown[0].pk}")

    def link(self) -> str:
        return settings.SITE_URL + reverse("games:mine")

    def feed_url(self, shown: tuple[Player, str]) -> str:
        return settings.SITE_URL + reverse("games:private_news", args=[shown[1]])

    def items(self, shown: tuple[Player, str]) -> list[Game | Notice]:
        """Return the games in which it is the player's turn, and their notices, the newest first. Four
        queries, and a fixed number for each kind of notice that is not about a game."""
        notices = load_news(shown[0], timezone.now())
        self._links = link_notices(notices, shown[0])
        news: list[Game | Notice] = [*load_waiting_games(shown[0]), *notices]
        return sorted(news, key=lambda one: (self.item_pubdate(one), _name(one)), reverse=True)[:LATEST]

    def item_title(self, one: Game | Notice) -> str:
        if isinstance(one, Game):
            return _("Your turn: {game}").format(game=one.name)
        kind, link = capitalise(one.get_kind_display()), self._links.get(one.pk)
        return kind if link is None else _("{what}: {where}").format(what=kind, where=link.name)

    def item_description(self, one: Game | Notice) -> str:
        if isinstance(one, Game):
            if one.deadline is None:
                return _("The clock is stopped.")
            return _("Please play by {when}.").format(when=format_when_and_zone(one.deadline))
        if one.sent is None:
            return ""
        return _("There's more in the email we sent you on {when}.").format(
            when=format_when_and_zone(one.sent)
        )

    def item_link(self, one: Game | Notice) -> str:
        link = None if isinstance(one, Game) else self._links.get(one.pk)
        return settings.SITE_URL + (one.get_absolute_url() if link is None else link.url)

    def item_guid(self, one: Game | Notice) -> str:
        return _build_id(_name(one))

    def item_updateddate(self, one: Game | Notice) -> datetime:
        return self.item_pubdate(one)

    def item_pubdate(self, one: Game | Notice) -> datetime:
        if isinstance(one, Notice):
            return one.due
        assert one.turn_began is not None
        return one.turn_began


def _name(one: Game | Notice) -> str:
    return name_turn(one) if isinstance(one, Game) else f"notice-{one.pk}"


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
