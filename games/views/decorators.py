"""What stands before what players do at a table: who may, by which method, and what refusals lead to.

They go together in this order: ``players_only``, ``post_only``, ``refusals_told``.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from accounts.requests import HtmxRequest
from games import access
from games.exceptions import Refused
from games.models import Game

View = Callable[..., HttpResponse]


def players_only(view: View) -> View:
    """Give *view* the game with the address's code. Strangers sign in first and come back to its table."""

    @wraps(view)
    def respond(request: HtmxRequest, code: str, **kwargs: Any) -> HttpResponse:
        game = access.game_or_404(request.user, code)
        if not request.user.is_authenticated:
            sign_in = redirect_to_login(reverse("games:table", args=[code]))
            return HttpResponseClientRedirect(sign_in.url) if request.htmx else sign_in
        return view(request, game, **kwargs)

    return respond


def post_only(view: View) -> View:
    """Show the table to whoever comes to the address without a POST, as from a browser's history."""

    @wraps(view)
    def respond(request: HtmxRequest, game: Game, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return redirect("games:table", game.code)
        return view(request, game, **kwargs)

    return respond


def refusals_told(view: View) -> View:
    """Show the table, and in words what a service called by *view* refuses; it has changed nothing then."""

    @wraps(view)
    def respond(request: HtmxRequest, game: Game, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, game, **kwargs)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("games:table", game.code)

    return respond
