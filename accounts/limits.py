"""Limits on how often something may be tried, against guessing and against locking others out.

The numbers are settings (``ACCOUNT_RATE_LIMITS``). They are counted in the cache, under its lock, so
simultaneous tries count one by one. Without the cache each process counts for itself (``carcassonne.cache``):
limits become laxer, but nobody gets in by that, and nobody is kept out.

A browser in which somebody has signed in before has a signed cookie, and counts of its own: whatever others
try elsewhere, or in the same network, its owner can still sign in.
"""

import ipaddress
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django.conf import settings
from django.core import signing
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase

from accounts.models import Player
from accounts.security import log_security_event

KNOWN_SALT = "accounts.known"
KNOWN_AT_MOST = 5  # accounts to a browser
A_YEAR = 60 * 60 * 24 * 365
WIDE_PREFIX = {4: 24, 6: 48}
WIDER = 4
"""Limit for all networks around one together, as a multiple of the limit of that one."""

logger = logging.getLogger(__name__)


def allow(request: HttpRequest, action: str, key: str | None = None) -> ratelimit.RateLimitUsage | None:
    """Count one more *action*; return its usage, which has a ``rollback()``, or ``None`` above the limit."""
    usage = _consume(request, action, key)
    if usage is None:
        log_security_event("limited", request=request, action=action)
    return usage


def _consume(
    request: HttpRequest, action: str, key: str | None = None, *, dry_run: bool = False
) -> ratelimit.RateLimitUsage | None:
    """Count one more *action*, also for the wider network if it is limited by network."""
    usage: ratelimit.RateLimitUsage | None = ratelimit.consume(
        request, app="allauth.account", action=action, key=key, limit_get=True, dry_run=dry_run
    )
    rates = _wide_rates(action)
    if usage is None or not rates:
        return usage
    config = {f"{action}_wide": ",".join(f"{rate.amount}/{rate.duration}s/key" for rate in rates)}
    wide: ratelimit.RateLimitUsage | None = ratelimit.consume(
        request,
        app="allauth.account",
        action=f"{action}_wide",
        config=config,
        key=wide_network(request),
        limit_get=True,
        dry_run=dry_run,
    )
    if wide is None:
        if not dry_run:
            usage.rollback()
        return None
    usage.usage += wide.usage
    return usage


def _wide_rates(action: str) -> list[ratelimit.Rate]:
    rates = ratelimit.parse_rates(settings.ACCOUNT_RATE_LIMITS.get(action))
    return [replace(rate, amount=WIDER * rate.amount, per="key") for rate in rates if rate.per == "ip"]


def wide_network(request: HttpRequest) -> str:
    """The network around the one that limits per "ip" count by: /24 of IPv4, /48 of IPv6.

    allauth counts one address of IPv4, or a /64; one customer of a provider may have a /48, 65,536 of those.
    """
    address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    prefix = WIDE_PREFIX[address.version]
    return str(ipaddress.ip_network((address, prefix), strict=False))


def is_within(request: HttpRequest, action: str) -> bool:
    """Return whether one more *action* would be allowed, without counting it."""
    return _consume(request, action, dry_run=True) is not None


def may_sign_in(request: HttpRequest, email: str, *, unknown: bool) -> bool:
    """Count one more password check, right or wrong, in an *unknown* browser's network.

    An account whose right password was given too often is refused before anybody learns that it is right.
    """
    if _consume(request, "right_password", email.lower(), dry_run=True) is None:
        log_security_event("limited", request=request, action="right_password")
        return False
    return not unknown or allow(request, "sign_in") is not None


def count_right_password(request: HttpRequest, email: str) -> bool:
    """Count that the right password of *email* was given, and return whether that is within the limit."""
    return allow(request, "right_password", email.lower()) is not None


def allow_search(request: HttpRequest, action: str) -> bool:
    """Count one more *action* that only reads, and return whether it is within the limit.

    Without Redis each process counts for itself, as a query would cost more than the search. There is no
    lock: simultaneous requests may count as one.
    """
    counts, now, allowed = caches["searches"], time.time(), True
    keyed: list[tuple[ratelimit.Rate, str | None]] = [
        (rate, None) for rate in ratelimit.parse_rates(settings.ACCOUNT_RATE_LIMITS[action])
    ]
    keyed += [(rate, wide_network(request)) for rate in _wide_rates(action)]
    for rate, network in keyed:
        key = ratelimit.get_cache_key(request, app="searches", action=action, rate=rate, key=network)
        try:
            known = counts.get(key)
            within, history = ratelimit.apply_rate(known if isinstance(known, list) else [], now, rate)
            counts.set(key, history, rate.duration)
        except Exception:  # these limits guard costs: a cache that is broken keeps nobody from a board
            logger.exception("What was read could not be counted")
            continue
        allowed = allowed and within
    if not allowed:
        log_security_event("limited", request=request, action=action)
    return allowed


def enforce_limit(request: HttpRequest, action: str, key: str | None = None) -> None:
    """Count one more *action*.

    :raises ImmediateHttpResponse: it is over the limit; the response is a page (429)
    """
    if allow(request, action, key) is None:
        raise ImmediateHttpResponse(ratelimit.respond_429(request))


def enforce_mail_limit(request: HttpRequest, email: str) -> None:
    """Count one more mail to an address that anybody may have typed.

    :raises ImmediateHttpResponse: there were too many to this address, or from this network
    """
    enforce_limit(request, *_mail_to(request, email))


def expect_mail(request: HttpRequest, email: str) -> None:
    """Check the limit of :func:`enforce_mail_limit` without counting, before work that needs the mail."""
    action, key = _mail_to(request, email)
    if _consume(request, action, key, dry_run=True) is None:
        raise ImmediateHttpResponse(ratelimit.respond_429(request))


def _mail_to(request: HttpRequest, email: str) -> tuple[str, str]:
    """The action and the key under which a mail counts."""
    known = find_known_browser(request, email)
    return "mail_known" if known else "mail", known or email.lower()


def slows_guessing(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap *view*, whose URL has a token from a mail: too many wrong tokens get 429 instead of 404."""

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Http404:
            enforce_limit(request, "guess_token")
            raise

    return respond


def slows_reading(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Limit an expensive *view* by account, or by network for visitors; above it, respond with 429."""

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return refuse_excess(request) or view(request, *args, **kwargs)

    respond.slows_reading = True  # type: ignore[attr-defined]
    return respond


def refuse_excess(request: HttpRequest, action: str = "read") -> HttpResponse | None:
    """Count one more *action* of the account or the visitor's network; return a 429 above the limit."""
    if allow_search(request, f"{action}_signed_in" if request.user.is_authenticated else action):
        return None
    refused: HttpResponse = ratelimit.respond_429(request)
    refused["Retry-After"] = "60"
    return refused


def allow_guess(request: HttpRequest, code: str | None) -> bool:
    """Return whether one more guess at *code* is allowed in this session; guesses at once count singly."""
    return allow(request, "guess_code", f"{request.session.session_key}:{code}") is not None


def find_known_browser(request: HttpRequest, email: str) -> str | None:
    """Return the key that counts this browser, if the owner of *email* has signed in there before."""
    known = _read_known_accounts(request)
    if not known:
        return None
    player = Player.objects.filter(email=email.lower()).only("pk").first()
    return known.get(str(player.pk)) if player else None


def remember(request: HttpRequest, response: HttpResponseBase, player: Player) -> None:
    """Set the cookie that says that *player* has signed in in this browser."""
    known = _read_known_accounts(request)
    known[str(player.pk)] = known.pop(str(player.pk), "") or secrets.token_urlsafe(12)
    last: dict[str, Any] = dict(list(known.items())[-KNOWN_AT_MOST:])
    response.set_cookie(
        settings.KNOWN_COOKIE_NAME,
        signing.dumps(last, salt=KNOWN_SALT),
        max_age=A_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read_known_accounts(request: HttpRequest) -> dict[str, str]:
    """The keys that count this browser, by the account's primary key."""
    try:
        known: dict[str, str] = signing.loads(
            request.COOKIES.get(settings.KNOWN_COOKIE_NAME, ""), salt=KNOWN_SALT, max_age=A_YEAR
        )
    except signing.BadSignature:
        return {}
    return known


def build_guess_key(request: HttpRequest, email: str) -> str:
    """The key that counts guesses at the password of *email*: by browser if it is known, else by network."""
    known = find_known_browser(request, email)
    return known if known else f"{email.lower()}:{ratelimit.get_ip(request)}"
