"""The page of the mails sent to a player, and their delivery."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from core import hooks
from core.hooks import PageLink
from games import access
from games.models import Channel, DropReason, Notice


class MailRow(NamedTuple):
    """A mail, a link to its subject if the reader may see that, and what became of it."""

    notice: Notice
    link: PageLink | None
    outcome: str


def build_mail_rows(notices: Iterable[Notice], player: Player) -> list[MailRow]:
    """Build the rows of *notices* to *player*. One query, and a fixed number for each kind that is not about
    a game."""
    listed = list(notices)
    links = link_notices(listed, player)
    return [MailRow(one, links.get(one.pk), describe_outcome(one)) for one in listed]


def link_notices(notices: Sequence[Notice], player: Player) -> dict[int, PageLink]:
    """Link the subjects of *notices* that *player* may see, by the notices' primary keys. As many queries as
    ``build_mail_rows``."""
    return _link_games(notices, player) | _link_other_things(notices)


def describe_outcome(notice: Notice) -> str:
    """Say what became of the mail of *notice*."""
    if notice.sent is not None:
        return notice.get_fate_display() or _("sent")
    if notice.dropped is not None:
        if notice.channel == Channel.PUSH and notice.why_dropped == DropReason.REFUSED:
            return _("not sent: no device took it")
        if notice.channel == Channel.WEBHOOK and notice.why_dropped == DropReason.REFUSED:
            return _("not sent: the service didn't take it")
        return _("not sent: {why}").format(why=notice.get_why_dropped_display())
    if notice.attempts:
        return _("not sent yet: we'll try again")
    return _("waiting to be sent")


def _link_games(notices: Iterable[Notice], player: Player) -> dict[int, PageLink]:
    games = {one.pk: one.game for one in notices if one.game is not None}
    seen = access.select_visible_games(player, {game.pk for game in games.values()})
    return {
        pk: PageLink(game.name, reverse("games:table", args=[game.code]))
        for pk, game in games.items()
        if game.pk in seen
    }


def _link_other_things(notices: Iterable[Notice]) -> dict[int, PageLink]:
    by_kind: dict[str, list[Notice]] = defaultdict(list)
    for one in notices:
        if one.game_id is None:
            by_kind[one.kind].append(one)
    links: dict[int, PageLink] = {}
    for kind, theirs in by_kind.items():
        load = hooks.MAIL_LINKS.get(kind)
        if load is not None:
            links.update(load(theirs))
    return links
