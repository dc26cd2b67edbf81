"""The webhook channel: one notice becomes a short message to each webhook of its reader.

Failed posts are tried again, but only where they failed. After a failure a webhook rests for a while, longer
each time; after ``MOST_FAILURES`` in a row it is switched off, and so is one that does not exist any more.
Slow webhooks rest, too, so that each delays us at most once a minute.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from enum import Enum, auto
from http import HTTPStatus

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Player
from core.outgoing_urls import HostFailed, HostFault, UnusableUrl, parse_target
from games.models import Kind, Notice, SwitchOffReason, Webhook, WebhookError, WebhookShape
from games.notices.email import AddressRefused, MailRefused, ServerAway
from games.notices.letter_writers import speak_to_reader
from games.notices.letters import NothingToTell
from games.notices.summaries import NoticeSummary, summarise_notice
from games.notices.webhook_payloads import build_payload

SECONDS = 5.0
"""Maximum seconds for posting a notice to all webhooks of one player."""

SLOW = 2.0  # seconds after which a webhook that answered rests, too
MOST_FAILURES = 10
FIRST_REST, LONGEST_REST = timedelta(minutes=1), timedelta(minutes=30)
MOST_TAKEN = 100

GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
PRIVATE = frozenset({Kind.CONDUCT, Kind.REPORT})
"""Kinds of notices whose content is not posted to webhooks, as others may read the channel."""

logger = logging.getLogger(__name__)


class PostOutcome(Enum):
    """The outcome of posting to a webhook; later ones are worse for the notice."""

    TAKEN = auto()
    GONE = auto()
    REFUSED = auto()
    AWAY = auto()


def has_webhooks(player: Player) -> bool:
    """Return whether *player* has a webhook that is on."""
    return settings.WEBHOOKS and Webhook.objects.filter(player=player, off=None).exists()


def send(notice: Notice, connection: object = None) -> str:
    """Post *notice* to the webhooks of its reader.

    :raises NothingToTell: it is no longer relevant, or there is no webhook
    :raises AddressRefused: the webhooks no longer exist
    :raises MailRefused: the services refuse the message
    :raises ServerAway: a service can't be reached now, or the webhook rests
    """
    if notice.recipient is None or not settings.WEBHOOKS:
        raise NothingToTell(notice.key)
    theirs = Webhook.objects.filter(player=notice.recipient, off=None).order_by("pk")
    webhooks = [webhook for webhook in theirs if notice.pk not in webhook.taken]
    taken_before = len(webhooks) < len(theirs)
    if not webhooks:
        if taken_before:
            return ""
        raise NothingToTell(notice.key)
    outcomes = _post_to_all(webhooks, _summarise(notice))
    worst = max(outcomes, key=lambda outcome: outcome.value)
    if worst is PostOutcome.AWAY:
        taken = [
            webhook
            for webhook, outcome in zip(webhooks, outcomes, strict=True)
            if outcome is PostOutcome.TAKEN
        ]
        _remember_taken(taken, notice)
        raise ServerAway("A webhook can't be reached")
    if taken_before or PostOutcome.TAKEN in outcomes:
        return ""  # a refusal by one of several webhooks is not retried
    raise (MailRefused if worst is PostOutcome.REFUSED else AddressRefused)("The webhooks refuse it")


def post(webhook: Webhook, summary: NoticeSummary, *, seconds: float = SECONDS) -> PostOutcome:
    """Post *summary* to *webhook*, even if it rests, and save the outcome in its row."""
    # With urllib3: five megabytes that processes save which post nothing.
    from core import outgoing_http

    begun = time.monotonic()
    try:
        target = parse_target(webhook.reveal())
        status = outgoing_http.post_json(
            target, build_payload(WebhookShape(webhook.shape), summary), seconds=seconds
        )
    except UnusableUrl:
        return _note_failure(webhook, WebhookError.UNREADABLE, PostOutcome.AWAY)
    except HostFailed as failed:
        if failed.fault is HostFault.LOOKUP:
            return _note_hanging_lookup(webhook)
        return _note_failure(webhook, WebhookError(failed.fault.value), PostOutcome.AWAY)
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        _note_taken(webhook, slow=time.monotonic() - begun > SLOW)
        return PostOutcome.TAKEN
    if status in GONE:
        return _note_failure(webhook, WebhookError.STATUS, PostOutcome.GONE, status)
    if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _note_failure(webhook, WebhookError.STATUS, PostOutcome.AWAY, status)
    return _note_failure(webhook, WebhookError.STATUS, PostOutcome.REFUSED, status)


def _post_to_all(webhooks: Sequence[Webhook], summary: NoticeSummary) -> list[PostOutcome]:
    """Post to each of *webhooks* that does not rest, and to none once the time limit has passed."""
    stop = time.monotonic() + SECONDS
    outcomes = []
    for webhook in webhooks:
        left = stop - time.monotonic()
        rests = webhook.rests_until is not None and webhook.rests_until > timezone.now()
        if rests or left <= 0:
            outcomes.append(PostOutcome.AWAY)
        else:
            outcomes.append(post(webhook, summary, seconds=left))
    return outcomes


def _summarise(notice: Notice) -> NoticeSummary:
    summary = summarise_notice(notice)
    if notice.kind not in PRIVATE:
        return summary
    with speak_to_reader(notice):
        title = _("There's a message for you on {site}").format(site=settings.SITE_NAME)
        text = _("We don't show it here because others may read this channel.")
        return NoticeSummary(title, text, summary.url)


def _remember_taken(webhooks: Sequence[Webhook], notice: Notice) -> None:
    """Save which of *webhooks* have accepted *notice*, which is tried again for the others."""
    for webhook in webhooks:
        taken = [*webhook.taken, notice.pk][-MOST_TAKEN:]
        Webhook.objects.filter(pk=webhook.pk).update(taken=taken)


def _note_taken(webhook: Webhook, *, slow: bool) -> None:
    now = timezone.now()
    Webhook.objects.filter(pk=webhook.pk).update(
        last_sent=now,
        failures=0,
        rests_until=now + FIRST_REST if slow else None,
        last_error="",
        last_status=None,
        failed=None,
    )


def _note_failure(
    webhook: Webhook, error: WebhookError, outcome: PostOutcome, status: int | None = None
) -> PostOutcome:
    """Save why *webhook* failed, let it rest, and switch it off if it failed too often or is gone."""
    now = timezone.now()
    rows = Webhook.objects.filter(pk=webhook.pk)
    rows.update(
        failures=F("failures") + 1,
        rests_until=now + compute_rest(webhook.failures),
        last_error=error,
        last_status=status,
        failed=now,
    )
    why_off = _find_reason_to_switch_off(rows.values_list("failures", flat=True).first() or 0, outcome, error)
    if why_off is not None:
        rows.filter(off=None).update(off=now, why_off=why_off)
        logger.info("Webhook %s is switched off: %s", webhook.pk, why_off.value)
    return outcome


def _note_hanging_lookup(webhook: Webhook) -> PostOutcome:
    """Save that the name of *webhook*'s host could not be looked up. It rests, each time twice as long, but
    isn't switched off for that: the fault may be our resolver's, or another host's."""
    now, rest = timezone.now(), FIRST_REST
    if webhook.last_error == WebhookError.LOOKUP and webhook.failed is not None and webhook.rests_until:
        rest = min(LONGEST_REST, 2 * (webhook.rests_until - webhook.failed))
    Webhook.objects.filter(pk=webhook.pk).update(
        rests_until=now + rest, last_error=WebhookError.LOOKUP, last_status=None, failed=now
    )
    return PostOutcome.AWAY


def compute_rest(failures: int) -> timedelta:
    """Return how long a webhook rests that has failed so often before: 1, 2, 4 … up to 30 minutes."""
    return min(LONGEST_REST, FIRST_REST * 2 ** min(failures, 10))


def _find_reason_to_switch_off(
    failures: int, outcome: PostOutcome, error: WebhookError
) -> SwitchOffReason | None:
    if outcome is PostOutcome.GONE:
        return SwitchOffReason.GONE
    if failures >= MOST_FAILURES or error is WebhookError.UNREADABLE:
        return SwitchOffReason.FAILING
    return None
