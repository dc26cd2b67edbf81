"""Sessions of a player: listing and ending them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, update_session_auth_hash
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from accounts import feed_secrets
from accounts.models import Player
from accounts.signals import session_renewed

MOST = 20
"""Maximum number of browsers in which one account is signed in; one more ends the oldest session."""
DEVICES = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)  # in this order: most of them claim to be those below, too


@dataclass(frozen=True)
class SignedIn:
    """A browser in which somebody is signed in."""

    pk: int
    browser: str  # as "Firefox", or empty
    device: str  # as "Android", or empty
    address: str  # of the network, when signing in
    since: datetime
    here: bool


def list_sessions(player: Player, request: HttpRequest) -> list[SignedIn]:
    """Return the sessions of *player*, the browser of *request* first, then the latest."""
    rows = UserSession.objects.purge_and_list(player)
    sessions = [
        SignedIn(
            pk=row.pk,
            browser=name_browser(row.user_agent)[0],
            device=name_browser(row.user_agent)[1],
            address=row.ip,
            since=row.created_at,
            here=row.session_key == request.session.session_key,
        )
        for row in rows
    ]
    return sorted(sessions, key=lambda session: (not session.here, -session.since.timestamp()))


def name_browser(user_agent: str) -> tuple[str, str]:
    """Return browser and device in a word each, such as "Firefox" and "Android"; empty where unknown."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "")
    device = next((name for name in DEVICES if name in user_agent), "")
    return browser, device


def find_live_sessions(player: Player, keys: Collection[str], now: datetime) -> set[str]:
    """Return those of the session *keys* with which *player* is signed in; one query."""
    hashes = [player.get_session_auth_hash(), *player.get_session_auth_fallback_hash()]
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
    return {row.session_key for row in rows if _is_session_of(player, row.get_decoded(), hashes)}


def _is_session_of(player: Player, data: Mapping[str, Any], hashes: Collection[str]) -> bool:
    known = data.get(HASH_SESSION_KEY, "")
    return data.get(SESSION_KEY) == str(player.pk) and any(
        constant_time_compare(known, valid) for valid in hashes
    )


def select_session_keys() -> QuerySet[Session, str]:
    """Return the keys of all stored sessions."""
    return Session.objects.values_list("session_key", flat=True)


def end(player: Player, pk: int) -> bool:
    """Sign *player* out of one browser. Return whether they were signed in there."""
    session = UserSession.objects.filter(user=player, pk=pk).first()
    if session is None:
        return False
    session.end()
    return True


def end_others(player: Player, request: HttpRequest) -> None:
    """Sign *player* out everywhere but in the browser of *request*."""
    end_all(player, but=request.session.session_key)
    player.refresh_from_db(fields=["session_round", "password"])
    update_session_auth_hash(request, player)
    UserSession.objects.create_from_request(request)  # the session has another key now
    session_renewed.send(sender=Player, player=player, request=request)


def end_oldest(player: Player, *, now: datetime) -> None:
    """End the oldest sessions of *player* until ``MOST`` are left.

    Every sign-in has written its row before it comes here, so the last of several at once sees them all.
    """
    going_on = Session.objects.filter(expire_date__gt=now).values("session_key")
    rows = UserSession.objects.filter(user=player, session_key__in=going_on)
    for session in rows.order_by("-created_at", "-pk")[MOST:]:
        session.end()


def forget_ended(*, now: datetime) -> None:
    """Delete expired sessions, and the rows with the browsers they belonged to."""
    Session.objects.filter(expire_date__lt=now).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


@transaction.atomic
def end_all(player: Player, *, but: str | None = None) -> None:
    """Sign *player* out everywhere, also in sessions without a ``UserSession``; *but* keeps that session.

    The row of the kept session is deleted, too, and it needs a new hash (``update_session_auth_hash``) to go
    on. Without *but* somebody else may have had the account, so the addresses of private feeds end, too.
    """
    if but is None:
        feed_secrets.delete_secret(player)
    for session in UserSession.objects.filter(user=player):
        if session.session_key == but:
            session.delete()
        else:
            session.end()
    Player.objects.filter(pk=player.pk).update(session_round=F("session_round") + 1)
    player.refresh_from_db(fields=["session_round"])
