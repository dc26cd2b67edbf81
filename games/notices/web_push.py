"""The push channel: one notice goes to all devices on which its reader has switched notifications on.

The message is encrypted for the browser (RFC 8291); its push service learns when a message is sent, its
lifetime and urgency, and which one it replaces, but not its content (RFC 8030).
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import Player
from core.outputs import clean_for_line
from games.models import Kind, Notice, PushSubscription
from games.notices import push_endpoints, push_keys, push_subscriptions
from games.notices.email import AddressRefused, MailRefused, ServerAway
from games.notices.summaries import summarise_notice
from games.selectors.waiting import count_waiting_games

if TYPE_CHECKING:
    from requests import Response, Session

LONGEST_WAIT = timedelta(days=3)
"""Maximum time for which a push service tries to reach a device that is switched off."""

SHORTEST_WAIT = timedelta(minutes=10)
LONGEST_TITLE, LONGEST_TEXT, LONGEST_URL = 200, 1000, 1000  # bytes; push services take 4096, encrypted
SECONDS_TO_ANSWER = 5.0
SECONDS_FOR_ALL = 20.0
"""Maximum seconds for all devices of one player together: others wait for their notices."""

GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


@dataclass(frozen=True, slots=True)
class PushMessage:
    """The message shown by ``templates/worker.js``. A newer one with the same *tag* replaces an older one."""

    title: str
    text: str
    url: str
    tag: str
    lang: str
    badge: int  # games in which the reader is awaited


@dataclass(frozen=True, slots=True)
class PushDelivery:
    """The lifetime and urgency of a message, for the push service."""

    seconds: int
    urgent: bool


class DeviceGone(Exception):
    """The push service no longer knows that browser."""


def send(notice: Notice, connection: object = None) -> str:
    """Send *notice* to all devices of its reader; one that accepts it is enough. Return an empty id, as push
    services give none.

    :raises AddressRefused: no device is left
    :raises MailRefused: a push service refuses the message
    :raises ServerAway: temporarily
    """
    assert notice.recipient is not None, f"{notice.key} is for nobody with an account"
    now = timezone.now()
    devices = push_subscriptions.load_live_subscriptions(notice.recipient, now)
    if not devices:
        raise AddressRefused("no device has notifications switched on")
    message = compose(notice)
    _send_to_all(devices, message, plan_delivery(notice, now))
    return ""


def compose(notice: Notice) -> PushMessage:
    """Build the message of *notice*, in the language of its reader.

    :raises NothingToTell: it need not be sent any more
    """
    assert notice.recipient is not None
    summary = summarise_notice(notice)
    return PushMessage(
        title=cut(summary.title, LONGEST_TITLE),
        text=cut(summary.text, LONGEST_TEXT),
        url=summary.url if len(summary.url) <= LONGEST_URL else settings.SITE_URL,
        tag=f"game.{notice.game.code}" if notice.game is not None else build_topic(summary.url),
        lang=notice.recipient.spoken_language,
        badge=count_waiting_games(notice.recipient),
    )


def plan_delivery(notice: Notice, now: datetime) -> PushDelivery:
    """Return the urgency and lifetime of *notice*, which ends at the deadline of its turn, if it has one."""
    wait = LONGEST_WAIT
    of_turn = notice.kind in (Kind.YOUR_TURN, Kind.REMINDER, Kind.TIME_OUT)
    if of_turn and notice.game is not None and notice.game.deadline is not None:
        wait = min(wait, max(SHORTEST_WAIT, notice.game.deadline - now))
    return PushDelivery(round(wait.total_seconds()), urgent=notice.kind in (Kind.REMINDER, Kind.TIME_OUT))


def send_test(player: Player, device: PushSubscription) -> None:
    """Send a test notification to *device* of *player*.

    :raises AddressRefused: the push service no longer knows that browser
    :raises MailRefused: it refuses the message
    :raises ServerAway: it can't be reached now
    """
    with translation.override(player.spoken_language):
        message = PushMessage(
            title=clean_for_line(settings.SITE_NAME),
            text=_("It works: this is how we'll tell you."),
            url=settings.SITE_URL + reverse("games:devices"),
            tag="test",
            lang=player.spoken_language,
            badge=count_waiting_games(player),
        )
    _send_to_all([device], message, PushDelivery(60, urgent=True))


def _send_to_all(devices: Iterable[PushSubscription], message: PushMessage, delivery: PushDelivery) -> None:
    """Send *message* to each of *devices*, and delete those that are gone.

    :raises AddressRefused, MailRefused, ServerAway: none accepted it; the error that leaves most hope
    """
    stop = time.monotonic() + SECONDS_FOR_ALL
    sent = False
    refused: MailRefused | None = None
    away: ServerAway | None = None
    with _open_session() as session:
        for device in devices:
            if time.monotonic() > stop:
                away = away or ServerAway("push services take too long")
                break
            try:
                _send_to_device(session, device, message, delivery)
            except DeviceGone:
                device.delete()
                continue
            except MailRefused as error:
                refused = error
                push_subscriptions.note_failure(device, timezone.now())
            except ServerAway as error:
                away = error
                push_subscriptions.note_failure(device, timezone.now())
            else:
                sent = True
                push_subscriptions.note_success(device, timezone.now())
    if sent:
        return
    raise away or refused or AddressRefused("the push services know none of the devices any more")


def _send_to_device(
    session: Session, device: PushSubscription, message: PushMessage, delivery: PushDelivery
) -> None:
    """Send *message* to one device.

    :raises DeviceGone, MailRefused, ServerAway: it was not taken
    """
    from pywebpush import WebPushException, webpush
    from requests import RequestException

    if not push_endpoints.is_at_push_service(device.endpoint):  # the operator has removed its host
        raise DeviceGone
    host = urlsplit(device.endpoint).netloc
    try:
        webpush(
            {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}},
            data=json.dumps(asdict(message), ensure_ascii=False),
            vapid_private_key=push_keys.load_signer(),
            vapid_claims={"sub": settings.VAPID_CONTACT},
            ttl=delivery.seconds,
            headers={
                "Urgency": "high" if delivery.urgent else "normal",
                "Topic": build_topic(message.tag),
            },
            timeout=SECONDS_TO_ANSWER,
            requests_session=session,
        )
    except WebPushException as error:
        status = error.status_code or 0
        said = f"{host} answers {status}"  # nothing more: the body may be a long page
        if status in GONE:
            raise DeviceGone from error
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise ServerAway(said) from error
        raise MailRefused(said) from error
    except RequestException as error:  # its text contains the address, which is a secret
        raise ServerAway(f"{host}: {type(error).__name__}") from error


def _open_session() -> Session:
    """Return a session for a few requests, which follows no redirects."""
    import requests

    class PushSession(requests.Session):
        """Connections to push services; a redirect is an answer like any other, and no success."""

        def post(self, url: str | bytes, *args: Any, **options: Any) -> Response:
            return super().post(url, *args, **options, allow_redirects=False)

    return PushSession()


def build_topic(name: str) -> str:
    """Return *name* as a valid topic: 32 characters of base64url (RFC 8030, section 5.4)."""
    return push_keys.encode(hashlib.sha256(name.encode()).digest())[:32]


def cut(text: str, most: int) -> str:
    """Cut *text* to at most so many bytes in JSON.

    >>> cut("Ania", 10), cut("Łódź, Łódź", 12)
    ('Ania', 'Łódź,…')
    """
    if _measure(text) <= most:
        return text
    size = _measure("…")
    for end, letter in enumerate(text):
        size += _measure(letter)
        if size > most:
            return f"{text[:end].rstrip()}…"
    return text


def _measure(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode()) - 2  # without the quotes
