"""The messages to a player's addresses for replies that had no effect, as the player reads of them."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Player
from games.hooks import PageLink
from games.models import Game, InboundMail, MailOutcome, MailState
from games.notices.reply_address import read_reply_address
from games.selectors.own_notices import link_visible_games

LATEST = 20

REASONS: dict[str, str | Promise] = {
    MailOutcome.MACHINE: gettext_lazy("It looked like an automatic message."),
    MailOutcome.STRANGER: gettext_lazy("It came from an address that you haven't confirmed."),
    MailOutcome.TOO_MANY: gettext_lazy("Too many emails came within an hour."),
}
"""Reasons by outcome of a message; any other is our own fault."""


class UnusedReply(NamedTuple):
    """A message that had no effect, and why; *link* leads to its game if the player may see that."""

    mail: InboundMail
    link: PageLink | None
    why: str


def list_unused_replies(player: Player) -> list[UnusedReply]:
    """List the latest such messages, as long as they are kept. At most three queries."""
    unused = Q(state__in=[MailState.IGNORED, MailState.FAILED]) | Q(outcome=MailOutcome.STRANGER)
    unread = InboundMail.objects.filter(unused, player=player).order_by("-pk")
    mails = list(unread.only("recipient", "sender", "received", "outcome")[:LATEST])
    tokens = {mail.pk: read_reply_address(mail.recipient) for mail in mails}
    games = Game.objects.in_bulk({token.game for token in tokens.values() if token is not None})
    about = {pk: games[token.game] for pk, token in tokens.items() if token and token.game in games}
    links = link_visible_games(about, player)
    ours = _("Something went wrong on our side.")
    return [UnusedReply(mail, links.get(mail.pk), str(REASONS.get(mail.outcome, ours))) for mail in mails]
