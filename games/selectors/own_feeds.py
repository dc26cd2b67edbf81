"""Rows of a player's private feeds, one query each."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts.models import Player
from games.models import Channel, Holiday, Kind, Notice
from games.models.notice import KEPT

LATEST = 50
"""Entries of a feed."""

PAST_HOLIDAYS = timedelta(days=90)
"""How long calendars go on to show holidays that are over."""

OF_TURNS = (Kind.YOUR_TURN, Kind.REMINDER)
"""Notices of turns. A turn that waits is an entry of its own, and one that has been played is no news."""


def load_news(player: Player, now: datetime) -> list[Notice]:
    """Return the latest notices to *player* that were sent, or are due and not dropped; of those that tell
    the same by several channels, one."""
    told = Notice.objects.filter(recipient=player, created__gt=now - KEPT, due__lte=now, dropped=None)
    shown = told.exclude(kind__in=OF_TURNS).select_related("game")
    fields = shown.only("key", "channel", "kind", "about", "due", "sent", "game", "game__name", "game__code")
    newest = fields.order_by("-pk")[: LATEST * len(Channel)]
    once = {notice.key.removesuffix(f".{notice.channel}"): notice for notice in newest}
    return list(once.values())[:LATEST]


def load_holidays(player: Player, now: datetime) -> list[Holiday]:
    """Return the holidays of *player* to come, and the latest ones."""
    return list(Holiday.objects.filter(player=player, end__gt=now - PAST_HOLIDAYS).order_by("begin"))
