"""A player's notices: those in feeds, and recent ones page by page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.models import Player
from games.models import Channel, Kind, Notice
from games.models.notice import KEPT
from games.selectors.paging import KeyPage, Order

LATEST = 50
"""Maximum number of entries in a feed."""

OF_TURNS = (Kind.YOUR_TURN, Kind.REMINDER)
"""Kinds of notices left out: a turn that waits is an entry of its own, and a played one is no news."""

NEWEST_FIRST = Order(Notice, ("-pk",))


def load_news(player: Player, now: datetime) -> list[Notice]:
    """Return the latest notices to *player* that were sent, or are due and not dropped; one for each event,
    even if it has several channels."""
    told = Notice.objects.filter(recipient=player, created__gt=now - KEPT, due__lte=now, dropped=None)
    shown = told.exclude(kind__in=OF_TURNS).select_related("game")
    fields = shown.only("key", "channel", "kind", "about", "due", "sent", "game", "game__name", "game__code")
    newest = fields.order_by("-pk")[: LATEST * len(Channel)]
    once = {notice.key.removesuffix(f".{notice.channel}"): notice for notice in newest}
    return list(once.values())[:LATEST]


def load_own_mails(player: Player, asked: Mapping[str, Any], size: int, now: datetime) -> KeyPage[Notice]:
    """Return the page *asked* for of *player*'s notices, as long as notices of games are kept, with the
    games' names. One query."""
    rows = Notice.objects.filter(recipient=player, created__gt=now - KEPT).select_related("game")
    shown = rows.only(
        "kind", "channel", "about", "due", "sent", "dropped", "why_dropped", "fate", "attempts",
        "game", "game__name", "game__code",
    )  # fmt: skip
    return NEWEST_FIRST.page(shown, NEWEST_FIRST.place(asked), size)
