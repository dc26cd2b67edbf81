"""Traces that accounts have in common: browser, network, mailbox. They help moderators to find double
accounts; nobody is refused or slowed down because of them.

No address of a network or mailbox is stored, only marks: HMAC-SHA256 with a key derived from ``SECRET_KEY``.
Marks of networks include the day, so those of different days can't be linked: they only show that two
accounts were in one network on one day. Marks of browsers stand for a random number in a cookie, those of
mailboxes for the normalised address; both must outlast a day, as double accounts are mostly used one after
the other. Marks that were not seen for sixty days are deleted, and all go with the account.

Traces are noted at sign-in and at turns, once a day for each browser and network, not at every page.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from itertools import combinations

from django.conf import settings
from django.core import signing
from django.core.cache import caches
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

from accounts.email_normalization import normalize_address
from accounts.models import Player, Trace, TraceKind
from accounts.security import find_network
from core.task_queue import queue_on_commit

KEPT = timedelta(days=60)
SALT = "accounts.device"
A_DAY = 60 * 60 * 24
A_YEAR = 365 * A_DAY

CROWD = 5
"""Maximum number of accounts of a network and day that count: a school, office or provider has more."""

MOST_AT_ONE = 40
"""Maximum number of accounts with one mark of which pairs are made, the first ones: 780 pairs."""

Pair = tuple[int, int]
"""The primary keys of two accounts, the lower one first."""


def begin(request: HttpRequest, response: HttpResponseBase, player: Player, now: datetime) -> None:
    """Note the traces of *player*, who signs in, and set the cookie with the browser's number."""
    device = _device(request) or secrets.token_urlsafe(16)
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps(device, salt=SALT),
        max_age=A_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    write(player.pk, _marks(request, player, device, now), now.date())


def record_trace(request: HttpRequest, player: Player, now: datetime) -> None:
    """Queue a task that notes the traces again, at a turn. The task gets marks alone, no addresses.

    Each process queues it once a day for each browser and network.
    """
    device = _device(request)
    once = _mark("once", f"{device} {_network(request)} {player.email}", now.date())
    if caches["process"].add(f"traced:{player.pk}:{once}", True, timeout=A_DAY):
        marks = _marks(request, player, device, now)
        queue_on_commit("accounts.tasks.note_traces", player.pk, marks, now.date().isoformat())


def write(player: int, marks: Mapping[str, str], today: date) -> None:
    """Write down that the account with this key had these *marks*, by kind; two queries.

    A day before those that are known, as after a clock that went back, changes nothing.
    """
    rows = [
        Trace(player_id=player, kind=kind, mark=mark, first=today, last=today) for kind, mark in marks.items()
    ]
    Trace.objects.bulk_create(rows, ignore_conflicts=True)
    known = Trace.objects.filter(player=player, mark__in=marks.values(), last__lt=today)
    known.update(last=today)


def _marks(request: HttpRequest, player: Player, device: str, now: datetime) -> dict[str, str]:
    """The marks of *player* in this browser and network by kind, without unknown ones."""
    marks = {
        TraceKind.DEVICE: _mark("device", device),
        TraceKind.NETWORK: _mark("network", _network(request), now.date()),
        TraceKind.MAILBOX: _mark("mailbox", normalize_address(player.email)),
    }
    return {str(kind): mark for kind, mark in marks.items() if mark}


def forget_old(*, now: datetime) -> None:
    """Delete the marks that were not seen for sixty days."""
    Trace.objects.filter(last__lt=now.date() - KEPT).delete()


def find_shared(kind: TraceKind) -> Mapping[Pair, int]:
    """The number of common marks of *kind* for each pair of accounts that has any; for networks, of days.

    Networks with a crowd are left out.
    """
    common = Trace.objects.filter(kind=kind).values("mark").annotate(n=Count("pk")).filter(n__gt=1)
    if kind == TraceKind.NETWORK:
        common = common.filter(n__lte=CROWD)
    rows = Trace.objects.filter(Q(mark__in=common.values("mark")), kind=kind, player__is_bot=False)
    having: dict[str, list[int]] = defaultdict(list)
    for mark, player in rows.order_by("mark", "player").values_list("mark", "player"):
        having[mark].append(player)
    pairs: dict[Pair, int] = defaultdict(int)
    for players in having.values():
        for first, second in combinations(players[:MOST_AT_ONE], 2):
            pairs[first, second] += 1
    return pairs


def count_known() -> int:
    """Count the accounts that have any mark."""
    return Trace.objects.values("player").distinct().count()


def _device(request: HttpRequest) -> str:
    """The number of this browser; empty before the first sign-in there."""
    try:
        number: str = signing.loads(
            request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=SALT, max_age=A_YEAR
        )
    except signing.BadSignature:
        return ""
    return number


def _network(request: HttpRequest) -> str:
    """The network of *request*: the whole IPv4 address, which a household shares, or the first 64 bits of
    IPv6, as devices change the rest by themselves. Empty if unknown."""
    try:
        address = ipaddress.ip_address(find_network(request))
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((address, 64), strict=False))
        address = address.ipv4_mapped
    return str(address)


def _mark(what: str, value: str, day: date | None = None) -> str:
    """The keyed hash of *value*, with the *day* if one is given; empty for an empty value."""
    if not value:
        return ""
    said = value if day is None else f"{day.isoformat()} {value}"
    return salted_hmac(f"accounts.trace.{what}", said, algorithm="sha256").hexdigest()
