"""A page, or the part of it that htmx asks for: one template serves both. And who may ask how often."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

from accounts.limits import refuse_excess
from accounts.requests import HtmxRequest
from games.models import Game
from games.play import positions


def render_page_or_part(
    request: HtmxRequest, template: str, part: str, context: Mapping[str, Any]
) -> HttpResponse:
    """*template*; to htmx only its partial called *part*, unless it restores a page that was left."""
    only_part = request.htmx and not request.htmx.history_restore_request
    return vary_by_htmx(render(request, f"{template}#{part}" if only_part else template, context))


def vary_by_htmx(response: HttpResponse) -> HttpResponse:
    """Let no browser take a part for the page, or what was for what is."""
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    patch_cache_control(response, private=True, no_cache=True)
    return response


def refuse_too_dear(request: HtmxRequest, game: Game, asking: Mapping[str, str]) -> HttpResponse | None:
    """429 to who is not signed in, of whose network too many boards were asked for within a minute that are
    not known by heart, or with something laid over them."""
    dear = "show" in asking or not positions.is_cached(game)
    return refuse_excess(request) if dear else None
