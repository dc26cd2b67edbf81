"""Middleware for a player's language and time zone, limits of guests, and too many password hashes."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from accounts import hashing, notice_preferences, provisional
from accounts.hashing import TooManyHashes, TooManyRefusals
from accounts.requests import HtmxRequest
from accounts.security import log_security_event
from core.time_zones import load_zone

RETRY_AFTER, RETRY_AFTER_MANY = 5, 60
"""Seconds after which to try again to sign in, and the same from a network that was refused often."""


def personal(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Activate the player's language and zone; guests keep the browser's language and UTC."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return get_response(request)
        with timezone.override(load_zone(request.user.time_zone)):
            translation.activate(request.user.spoken_language)
            request.LANGUAGE_CODE = translation.get_language()
            notice_preferences.note_return(request.user)
            return get_response(request)

    return respond


def guests_bound(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Redirect guests from pages that need an account to the one that creates it, and renew the sessions of
    those without an address."""

    def respond(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.user.provisional:
            provisional.renew_session(request, request.user)
        return get_response(request)

    def process_view(request: HtmxRequest, *view: Any) -> HttpResponseBase | None:
        if not request.user.is_authenticated or not request.user.provisional:
            return None
        changes = request.method not in ("GET", "HEAD", "OPTIONS")
        name = request.resolver_match.view_name if request.resolver_match else ""
        if provisional.may_visit(name, changes=changes):
            return None
        messages.info(request, _("You need an account for that. Your seat stays yours."))
        if request.htmx:
            return HttpResponseClientRedirect(reverse("accounts:create_account"))
        return redirect("accounts:create_account")

    respond.process_view = process_view  # type: ignore[attr-defined]
    return respond


def hashing_bound(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Respond with 503 and a page if the process has too many passwords to hash, or with 429 if the visitor's
    network was refused often."""

    def respond(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, TooManyHashes):
            return None
        log_security_event("limited", request=request, action="hash")
        often = isinstance(exception, TooManyRefusals)
        if not often:
            hashing.count_refusal(request)
        # Without the request: such answers must be cheap.
        response = HttpResponse(
            render_to_string("account/busy.html", {"often": often}), status=429 if often else 503
        )
        response["Retry-After"] = str(RETRY_AFTER_MANY if often else RETRY_AFTER)
        response["Cache-Control"] = "no-store"
        response._has_been_logged = True  # type: ignore[attr-defined]  # Django would call it an error
        return response

    respond.process_exception = process_exception  # type: ignore[attr-defined]
    return respond
