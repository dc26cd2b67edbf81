"""Mails of a player: what the outbox owed them lately, the newest first, page by page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.models import Player
from games.models import Notice
from games.models.notice import KEPT
from games.selectors.paging import KeyPage, Order

NEWEST_FIRST = Order(Notice, ("-pk",))


def load_own_mails(player: Player, asked: Mapping[str, Any], size: int, now: datetime) -> KeyPage[Notice]:
    """Return the page that is *asked* for of what was owed to *player* for as long as notices of games are
    kept, with the names of the games; one query."""
    rows = Notice.objects.filter(recipient=player, created__gt=now - KEPT).select_related("game")
    shown = rows.only(
        "kind", "channel", "about", "due", "sent", "dropped", "why_dropped", "fate", "attempts",
        "game", "game__name", "game__code",
    )  # fmt: skip
    return NEWEST_FIRST.page(shown, NEWEST_FIRST.place(asked), size)
