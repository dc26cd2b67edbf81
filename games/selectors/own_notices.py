"""A player's notices: those in feeds, recent ones page by page, and links to what they are about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from accounts.models import Player
from games import access, hooks
from games.hooks import PageLink
from games.models import Channel, Game, Kind, Notice
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
    notices = Notice.objects.filter(recipient=player, created__gt=now - KEPT, due__lte=now, dropped=None)
    shown = notices.exclude(kind__in=OF_TURNS).select_related("game")
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


def link_notices(notices: Sequence[Notice], player: Player) -> dict[int, PageLink]:
    """Link the subjects of *notices* that *player* may see, by the notices' primary keys. One query, and a
    fixed number for each kind that is not about a game."""
    games = {notice.pk: notice.game for notice in notices if notice.game is not None}
    return link_visible_games(games, player) | _link_other_things(notices)


def link_visible_games(games: Mapping[int, Game], player: Player) -> dict[int, PageLink]:
    """Link those of *games*, by the keys of what is about them, that *player* may see. One query."""
    seen = access.select_visible_games(player, {game.pk for game in games.values()})
    return {pk: PageLink(game.name, game.get_absolute_url()) for pk, game in games.items() if game.pk in seen}


def _link_other_things(notices: Iterable[Notice]) -> dict[int, PageLink]:
    by_kind: dict[str, list[Notice]] = defaultdict(list)
    for notice in notices:
        if notice.game_id is None:
            by_kind[notice.kind].append(notice)
    links: dict[int, PageLink] = {}
    for kind, theirs in by_kind.items():
        source = hooks.LETTERS.get(kind)
        if source is not None and source.link is not None:
            links.update(source.link(theirs))
    return links
