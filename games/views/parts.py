"""Helpers for views with htmx: rendering a page or a part of it, caching, and limits."""

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
    """Render *template*; for htmx only its partial *part*, except when restoring history."""
    only_part = request.htmx and not request.htmx.history_restore_request
    return vary_by_htmx(render(request, f"{template}#{part}" if only_part else template, context))


def vary_by_htmx(response: HttpResponse) -> HttpResponse:
    """Prevent caches from serving a part as a page, or an outdated page."""
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    patch_cache_control(response, private=True, no_cache=True)
    return response


def refuse_too_dear(request: HtmxRequest, game: Game, asking: Mapping[str, str]) -> HttpResponse | None:
    """Return 429 for an anonymous visitor whose network has requested too many expensive boards within a
    minute: uncached ones, or with an overlay."""
    dear = "show" in asking or not positions.is_cached(game)
    return refuse_excess(request) if dear else None
