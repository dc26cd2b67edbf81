"""Checks that every request must pass, before all other middleware."""

import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.template.loader import render_to_string
from django.utils import translation

Respond = Callable[[HttpRequest], HttpResponse]
MOST_DIGITS = 20  # of a length
WEBHOOKS = "/webhooks/"

logger = logging.getLogger("carcassonne.requests")


def drop_charset(environ: dict[str, Any]) -> dict[str, Any]:
    """*environ* without the charset of the request's content type: our forms are always UTF-8.

    With a charset Django reads the query string while it creates the request, and errors in it are raised
    where nobody handles them yet.
    """
    kind = str(environ.get("CONTENT_TYPE", ""))
    if "charset" not in kind.lower():
        return environ
    kept = [part for part in kind.split(";") if not part.strip().lower().startswith("charset")]
    return {**environ, "CONTENT_TYPE": ";".join(kept)}


def require_own_port(get_response: Respond) -> Respond:
    """Refuse a ``Host`` header with a foreign port: Django checks the name only.

    Otherwise clients could choose a part of every absolute URL and of every cache key that is built from it.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        host = request.get_host()
        port = split_domain_port(host)[1]
        if port and port not in map(str, settings.ALLOWED_PORTS):
            raise DisallowedHost(f"{host!r} has another port than SITE_URL.")
        return get_response(request)

    return respond


def limit_body(get_response: Respond) -> Respond:
    """Refuse bodies that are larger than any form, or than a mail by webhook, before they are read.

    Django limits what it reads into memory, but accepts files of any length, and fails on a length that is no
    number. It would answer 400, and log a traceback.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdecimal() and len(length) < MOST_DIGITS):
            raise BadRequest("A body of no length")
        by_webhook = settings.MAIL_WEBHOOKS and request.path.startswith(WEBHOOKS)
        if int(length) > (settings.LONGEST_WEBHOOK if by_webhook else settings.LONGEST_FORM):
            logger.warning("A body of %s bytes was refused", length)
            with translation.override(translation.get_language_from_request(request)):
                return HttpResponse(render_to_string("413.html"), status=413)
        return get_response(request)

    return respond


def reject_nul(get_response: Respond) -> Respond:
    """Refuse forms with a NUL character: no text has one, and PostgreSQL fails on it. Django's forms check
    that, but not all input passes through one. A mail by webhook may have one, and is kept as bytes."""

    def respond(request: HttpRequest) -> HttpResponse:
        # Nothing but a POST has a form: others are not read.
        by_webhook = request.path.startswith(WEBHOOKS)
        if not by_webhook and any(
            "\0" in value for _name, values in request.POST.lists() for value in values
        ):
            raise BadRequest("A form with a NUL in it")
        return get_response(request)

    return respond
