"""A page, or the part of it that htmx asks for: one template serves both."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

from accounts.requests import HtmxRequest


def page_or_part(request: HtmxRequest, template: str, part: str, context: Mapping[str, Any]) -> HttpResponse:
    """*template*; to htmx only its partial called *part*, unless it restores a page that was left.

    No browser may take one for the other, nor an old list for a new one.
    """
    only_part = request.htmx and not request.htmx.history_restore_request
    response = render(request, f"{template}#{part}" if only_part else template, context)
    patch_vary_headers(response, ["HX-Request"])
    patch_cache_control(response, private=True, no_cache=True)
    return response
