"""Decorators for views of leagues."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.requests import PlayerRequest
from games.exceptions import Refused, TooMany
from games.views.decorators import render_too_many

View = Callable[..., HttpResponse]


def show_refusals(view: View) -> View:
    """Show :class:`TooMany` on a page with status 429, and other refusals of games, such as writing without a
    confirmed address, as messages on the season's page."""

    @wraps(view)
    def respond(request: PlayerRequest, slug: str, number: int, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, slug, number, *args, **kwargs)
        except TooMany as refused:
            return render_too_many(request, refused, reverse("league:season", args=[slug, number]))
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("league:season", slug, number)

    return respond
