"""A page, or the part of it that htmx asks for: one template serves both."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

from accounts.requests import HtmxRequest


def page_or_part(request: HtmxRequest, template: str, part: str, context: Mapping[str, Any]) -> HttpResponse:
    """*template*; to htmx only its partial called *part*, unless it restores a page that was left."""
    only_part = request.htmx and not request.htmx.history_restore_request
    return varying(render(request, f"{template}#{part}" if only_part else template, context))


def varying(response: HttpResponse) -> HttpResponse:
    """Let no browser take a part for the page, or what was for what is."""
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    patch_cache_control(response, private=True, no_cache=True)
    return response
