"""Other channels for a turn whose mail did not reach its reader, as the clock doesn't wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from accounts.models import Player
from accounts.notice_preferences import Channel, Timing
from games.models import Kind, Notice
from games.notices import push_subscriptions, webhooks

INSTEAD = "instead_of_mail"
ABOUT_A_TURN = (Kind.YOUR_TURN, Kind.REMINDER, Kind.TIME_OUT)


def tell_otherwise(notice: Notice, now: datetime) -> None:
    """Owe the notice of a turn, whose mail can't be delivered, by each other channel of its reader,
    regardless of their preferences; once, and not where they get it anyway."""
    if notice.channel != Channel.EMAIL or notice.kind not in ABOUT_A_TURN or notice.recipient is None:
        return
    Notice.objects.bulk_create(
        [
            Notice(
                key=f"{notice.key}.{channel.value}",
                kind=notice.kind,
                channel=channel,
                timing=Timing.AT_ONCE,
                game=notice.game,
                version=notice.version,
                recipient=notice.recipient,
                about={INSTEAD: True},
                created=now,
                due=now,
                next_try=now,
            )
            for channel in _list_channels(notice.recipient, now)
        ],
        ignore_conflicts=True,
    )


def stands_in(notice: Notice) -> bool:
    """Return whether *notice* replaces a mail that could not be delivered."""
    return bool(notice.about.get(INSTEAD))


def _list_channels(player: Player, now: datetime) -> Iterator[Channel]:
    if push_subscriptions.load_live_subscriptions(player, now):
        yield Channel.PUSH
    if webhooks.has_webhooks(player):
        yield Channel.WEBHOOK
