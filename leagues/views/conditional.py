"""Answers that are only made for clients who don't have them yet."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import get_language

from leagues.models import League
from leagues.selectors.feed import find_last_change


def answer_if_changed(
    request: HttpRequest, league: League, answer: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """The *answer*, or 304 if *league* has not changed since the client's version."""
    etag = f'"{find_last_change(league):%Y%m%d%H%M%S%f}-{get_language()}"'
    response = get_conditional_response(request, etag=etag) or answer()
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    return response
