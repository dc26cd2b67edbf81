"""The page of a player's webhooks."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import Player
from core.outgoing_urls import UnusableUrl, parse_target
from games.conduct import limits
from games.models import Webhook
from games.words.times import format_day, format_instant

SHOWN = 4
"""Number of letters at the end of an address that its owner is shown, to tell it from others."""


class WebhookRow(NamedTuple):
    """A webhook of one's own."""

    pk: int
    service: str
    place: str  # the host and the end of the address, of which no more is shown
    since: str
    state: str
    off: bool


class OwnWebhooks(NamedTuple):
    """The webhooks of a player, and whether the limit is reached."""

    rows: list[WebhookRow]
    most: int
    full: bool


def build_own_webhooks(player: Player) -> OwnWebhooks:
    """Build the page of *player*; one query."""
    rows = [_build_row(webhook) for webhook in Webhook.objects.filter(player=player).order_by("pk")]
    most = limits.get_maximum("webhooks")
    return OwnWebhooks(rows, most, len(rows) >= most)


def _build_row(webhook: Webhook) -> WebhookRow:
    return WebhookRow(
        webhook.pk,
        webhook.get_shape_display(),
        mask_url(webhook.reveal()),
        format_day(webhook.since),
        describe_state(webhook),
        webhook.off is not None,
    )


def mask_url(url: str) -> str:
    """
    >>> mask_url("https://hooks.slack.com/services/T0/B0/secret"), mask_url("")
    ('hooks.slack.com/…cret', '')
    """
    try:
        target = parse_target(url)
    except UnusableUrl:
        return ""
    return f"{target.host}/…{target.path[-SHOWN:]}" if len(target.path) > 4 * SHOWN else target.host


def describe_state(webhook: Webhook) -> str:
    """Say whether *webhook* works, and if not, why."""
    if webhook.off is not None:
        told = _("Switched off on {when}: {why}. {error}")
        return told.format(
            when=format_instant(webhook.off), why=webhook.get_why_off_display(), error=describe_error(webhook)
        ).strip()
    if webhook.last_error:
        return _("{error} We'll try again.").format(error=describe_error(webhook))
    if webhook.last_sent is not None:
        return _("Last message: {when}.").format(when=format_instant(webhook.last_sent))
    return _("Nothing has been sent yet.")


def describe_error(webhook: Webhook) -> str:
    """Say why the last message did not arrive."""
    if webhook.failed is None:
        return ""
    why = webhook.get_last_error_display()
    if webhook.last_status is not None:
        why = _("{why} (error {status})").format(why=why, status=webhook.last_status)
    return _("The message of {when} didn't arrive: {why}.").format(
        when=format_instant(webhook.failed), why=why
    )
