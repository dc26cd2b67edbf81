"""Decorators of views about a game: its lookup, permissions, request methods, and refusals.

Use them in this order: ``players_only``, ``post_only``, ``show_refusals``.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect

from accounts.requests import HtmxRequest
from games import access, play
from games.exceptions import Refused, TooMany
from games.models import Game
from games.pages.sealed_game import build_context

View = Callable[..., HttpResponse]


def load_visible_game(request: HtmxRequest, code: str) -> Game:
    """Return the game at this address. One query.

    A turn that could still be undone becomes final when another player of the game looks at any of its pages,
    before anything is shown.

    :raises Http404: there is none for the visitor; ``access.SealedGame``, if it is only hidden
    """
    game = access.get_game_or_404(request.user, code)
    if game.settles is None:
        return game
    seat = access.find_seat(request.user, game)
    if seat is not None:
        play.settle(game_id=game.pk, now=timezone.now(), seen_by=seat.index)
        game.refresh_from_db()  # another request may have been quicker
    return game


def settle_seen(games: Iterable[Game], now: datetime) -> bool:
    """Make turns final that could still be undone in *games* of a list, as a player will now see them. Return
    whether any game must be loaded again."""
    held = {
        game.pk: game.own_seat.index
        for game in games
        if game.settles is not None and game.own_seat is not None
    }
    for pk, seat in held.items():
        play.settle(game_id=pk, now=now, seen_by=seat)
    return bool(held) and Game.objects.filter(pk__in=held, settles=None).exists()


def explain_hidden_board(view: View) -> View:
    """Explain hidden boards, whose tiles others draw too, instead of answering 404."""

    @wraps(view)
    def respond(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except access.SealedGame as sealed:
            context = build_context(sealed.game, request.user)
            return render(request, "games/sealed.html", context, status=HTTPStatus.FORBIDDEN)

    return respond


def players_only(view: View) -> View:
    """Pass the game to *view*. Anonymous visitors sign in first, and come back to its table."""

    @wraps(view)
    def respond(request: HtmxRequest, code: str, **kwargs: Any) -> HttpResponse:
        game = load_visible_game(request, code)
        if not request.user.is_authenticated:
            sign_in = redirect_to_login(game.get_absolute_url())
            return HttpResponseClientRedirect(sign_in.url) if request.htmx else sign_in
        return view(request, game, **kwargs)

    return respond


def post_only(view: View) -> View:
    """Redirect requests other than POST to the table, such as from a browser's history."""

    @wraps(view)
    def respond(request: HtmxRequest, game: Game, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return redirect("games:table", game.code)
        return view(request, game, **kwargs)

    return respond


def render_too_many(request: HtmxRequest, refused: TooMany, back: Game | str) -> HttpResponse:
    """The page that says what was too much for one person (429), with the way *back*, to a game or a view."""
    context = {"said": refused.message, "back": resolve_url(back)}
    return render(request, "games/too_many.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)


def show_refusals(view: View) -> View:
    """Show a service's refusal as a message at the table; it has changed nothing. Exceeded limits have a page
    of their own, with status 429."""

    @wraps(view)
    def respond(request: HtmxRequest, game: Game, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, game, **kwargs)
        except TooMany as refused:
            return render_too_many(request, refused, game)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("games:table", game.code)

    return respond
