"""Push subscriptions of a player's devices: switching them on and off, and their validity.

A subscription is valid while the session lasts in which it was switched on: the next user of a browser learns
nothing about a player who has signed out, there or from elsewhere.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from accounts import sessions
from accounts.models import Player
from accounts.notice_preferences import Channel, switch_on_channel
from games.conduct import limits
from games.exceptions import Refused
from games.models import PushSubscription
from games.notices import push_endpoints

IN_SESSION = "push_subscription"
"""Session key for the primary key of the subscription that was switched on in the session."""

GIVEN_UP_AFTER = 20
LONGEST_OUTAGE = timedelta(days=7)
"""Failures in a row after which a device is deleted, and minimum time since a success: we may be offline."""


class BrowserKeys(NamedTuple):
    """A browser's push subscription: an address at its push service, and its keys."""

    endpoint: str
    p256dh: str
    auth: str


@transaction.atomic
def switch_on(
    *, player: Player, keys: BrowserKeys, session_key: str, user_agent: str, now: datetime
) -> PushSubscription:
    """Switch notifications on for *player* in this session's browser, replacing its subscription. Beyond the
    maximum, the oldest one is deleted; the first one switches the channel on in the preferences.

    :raises Refused: bad address or keys, or an address that is somebody else's
    """
    push_endpoints.check_endpoint(keys.endpoint)
    push_endpoints.check_keys(keys.p256dh, keys.auth)
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    before = PushSubscription.objects.filter(player=player)
    known = PushSubscription.objects.filter(endpoint=keys.endpoint).exclude(player=player).first()
    if known is not None and (known.p256dh, known.auth) != (keys.p256dh, keys.auth):
        # The browser itself has the same keys. Who knows only the address must not silence somebody.
        raise Refused("push_service_unknown")
    if not before.exists():
        switch_on_channel(player, Channel.PUSH)
    PushSubscription.objects.filter(Q(endpoint=keys.endpoint) | Q(session_key=session_key)).delete()
    most = limits.get_maximum("push_devices")
    for old in before.order_by("-since", "-pk")[most - 1 :]:
        old.delete()
    browser, device = sessions.name_browser(user_agent)
    return PushSubscription.objects.create(
        player=player,
        **keys._asdict(),
        session_key=session_key,
        browser=browser,
        device=device,
        since=now,
    )


def switch_off(*, player: Player, pk: int) -> bool:
    """Delete a subscription of *player*. Return whether it was theirs."""
    deleted, _by_model = PushSubscription.objects.filter(player=player, pk=pk).delete()
    return bool(deleted)


def load_live_subscriptions(player: Player, now: datetime) -> list[PushSubscription]:
    """Return the valid subscriptions of *player*, newest first, and delete those of ended sessions. Two
    queries."""
    subscriptions = list(PushSubscription.objects.filter(player=player).order_by("-since", "-pk"))
    if not subscriptions:
        return []
    live = sessions.find_live_sessions(
        player, {subscription.session_key for subscription in subscriptions}, now
    )
    over = [subscription.pk for subscription in subscriptions if subscription.session_key not in live]
    if over:
        PushSubscription.objects.filter(pk__in=over).delete()
    return [subscription for subscription in subscriptions if subscription.session_key in live]


@transaction.atomic
def check_test(*, player: Player, pk: int, now: datetime) -> PushSubscription | None:
    """Record a test of a device, and return it; ``None`` if it is not *player*'s.

    :raises TooMany: it was tested just now
    """
    locked = PushSubscription.objects.select_for_update(no_key=True)
    subscription = locked.filter(player=player, pk=pk).first()
    if subscription is None:
        return None
    limits.check_push_tests(subscription, now)
    subscription.tested = now
    subscription.save(update_fields=["tested"])
    return subscription


def note_success(subscription: PushSubscription, now: datetime) -> None:
    PushSubscription.objects.filter(pk=subscription.pk).update(last_success=now, failures=0)


def note_failure(subscription: PushSubscription, now: datetime) -> None:
    """Count a failure; after many in a row over a long time, delete the subscription."""
    row = PushSubscription.objects.filter(pk=subscription.pk)
    worked = subscription.last_success or subscription.since
    if subscription.failures + 1 >= GIVEN_UP_AFTER and worked < now - LONGEST_OUTAGE:
        row.delete()
    else:
        row.update(failures=min(subscription.failures + 1, GIVEN_UP_AFTER))


def follow_session(player: Player, pk: int, session_key: str) -> None:
    """Move a subscription of *player* to the session's new key."""
    PushSubscription.objects.filter(player=player, pk=pk).update(session_key=session_key)


def forget_session(session_key: str) -> None:
    """Delete the subscriptions of a session, which has ended."""
    PushSubscription.objects.filter(session_key=session_key).delete()


def forget(player: Player) -> None:
    """Delete all subscriptions of *player*."""
    PushSubscription.objects.filter(player=player).delete()


def forget_ended() -> None:
    """Delete the subscriptions of sessions that no longer exist."""
    PushSubscription.objects.exclude(session_key__in=sessions.select_session_keys()).delete()
