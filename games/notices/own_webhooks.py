"""A player's webhooks: adding, testing, removing."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.notice_preferences import Channel, NoticeEvent, Timing, set_timings, switch_on_channel
from core.outgoing_urls import HttpsTarget, parse_target
from games.conduct import contacts, limits
from games.exceptions import Refused
from games.models import Webhook, WebhookShape
from games.notices import webhooks
from games.notices.summaries import NoticeSummary
from games.notices.webhooks import PostOutcome

DISCORD_HOSTS = ("discord.com", "ptb.discord.com", "canary.discord.com", "discordapp.com")
SLACK_HOSTS = ("hooks.slack.com", "hooks.slack-gov.com")


def guess_shape(target: HttpsTarget) -> WebhookShape:
    """Return the service of *target*. Every other host counts as a Mattermost server."""
    if target.host in DISCORD_HOSTS:
        return WebhookShape.DISCORD
    return WebhookShape.SLACK if target.host in SLACK_HOSTS else WebhookShape.MATTERMOST


def add_webhook(*, player: Player, url: str, shape: WebhookShape, now: datetime) -> Webhook:
    """Add a webhook that posts notices to *player* to *url* in the form of *shape*. The first one switches
    the channel on with its default timings.

    :raises UnusableUrl: nothing is ever sent there
    :raises Refused: they have it already, or the maximum; or their address is not confirmed
    """
    parse_target(url)
    with transaction.atomic():
        locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        mine = list(Webhook.objects.filter(player=locked))
        if len(mine) >= limits.get_maximum("webhooks"):
            raise Refused("too_many_webhooks")
        if any(webhook.reveal() == url for webhook in mine):
            raise Refused("webhook_known")
        contacts.record_contacts(limits.ADD_WEBHOOK, locked, [None], now=now)
        webhook = Webhook(player=locked, shape=shape, since=now)
        webhook.hide(url)
        webhook.save()
        if not mine:
            switch_on_channel(locked, Channel.WEBHOOK)
    return webhook


def remove_webhook(webhook: Webhook) -> None:
    """Delete a webhook with its address. With the last one the channel is switched off."""
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).get(pk=webhook.player_id)
        Webhook.objects.filter(pk=webhook.pk).delete()
        if not Webhook.objects.filter(player=player).exists():
            set_timings(player, {(event, Channel.WEBHOOK): Timing.NEVER for event in NoticeEvent})
            player.save(update_fields=["notice_timings"])


def forget_webhooks(player: Player) -> None:
    """Delete the webhooks of *player*, whose account is being closed."""
    Webhook.objects.filter(player=player).delete()


def send_test(webhook: Webhook, *, now: datetime) -> PostOutcome:
    """Post a test message in the active language. A switched-off webhook that accepts it is switched on
    again.

    :raises Refused: there were too many, or the player's address is not confirmed
    """
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).get(pk=webhook.player_id)
        contacts.record_contacts(limits.TEST_WEBHOOK, player, [None], now=now)
    outcome = webhooks.post(webhook, _write_test())
    if outcome is PostOutcome.TAKEN:
        Webhook.objects.filter(pk=webhook.pk).update(off=None, why_off="")
    return outcome


def _write_test() -> NoticeSummary:
    title = _("Test message from {site}").format(site=settings.SITE_NAME)
    return NoticeSummary(title, _("It works: your notifications will arrive here."), settings.SITE_URL)
