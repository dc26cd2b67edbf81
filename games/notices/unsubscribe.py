"""Stopping mails with one click: a signed token says in which mail it stood, so whose mails, and which."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.core import signing
from django.http import Http404
from django.utils import timezone

from accounts.address_marks import mark_of
from accounts.models import Player
from games.models import Game, Kind, Notice, PrunedNotice, Seat, SilentAddress
from games.outbox import PREFERENCES

SALT = "games.notices.unsubscribe"
OLD_LINKS_UNTIL = datetime(2027, 12, 1, tzinfo=UTC)
"""Until then the links of the first releases work, which name a player or an address themselves."""


@dataclass(frozen=True)
class Wish:
    """Which mails a token stops: those to *player*, or to an *address* that has no account."""

    player: Player | None
    address: str  # empty where only its hash is left
    address_mark: str
    kind: Kind
    game: Game | None


def token_for(notice: Notice) -> str:
    """The token in the mail of *notice*: its number, so that nobody reads an address in a link.

    It works for ever, also when the notice is pruned: old mails must be able to stop new ones.
    """
    return signing.Signer(salt=SALT).sign_object({"n": notice.pk})


def read(token: str) -> Wish:
    """What *token* stops.

    :raises Http404: it is none of ours
    """
    try:
        told = signing.Signer(salt=SALT).unsign_object(token)
    except signing.BadSignature as error:
        raise Http404 from error
    if "n" in told:
        return _wish_of(told["n"])
    if timezone.now() >= OLD_LINKS_UNTIL:
        raise Http404
    player = Player.objects.filter(pk=told.get("p")).first()
    address, game = told.get("a", ""), Game.objects.filter(pk=told["g"]).first()
    return Wish(player, address, mark_of(address), Kind(told["k"]), game)


def _wish_of(number: int) -> Wish:
    """What the link in the mail of the notice with this *number* stops, whether that is pruned or not.

    :raises Http404: there was none, or none that can be stopped
    """
    found = {"pk": number, "kind__in": PREFERENCES}
    notice = Notice.objects.select_related("recipient", "game").filter(**found).first()
    if notice is not None:
        return Wish(notice.recipient, notice.address, notice.address_mark, Kind(notice.kind), notice.game)
    pruned = PrunedNotice.objects.select_related("recipient", "game").filter(**found).first()
    if pruned is None:
        raise Http404
    return Wish(pruned.recipient, "", "", Kind(pruned.kind), pruned.game)


def switch_mails(wish: Wish, scope: str, *, on: bool = False) -> None:
    """Stop the mails of the wish's kind, of its game, or all, or let them come again. Twice is harmless."""
    if wish.player is None:
        mark = wish.address_mark
        if not mark:  # nobody is meant
            return
        if on:
            SilentAddress.objects.filter(mark=mark).delete()
        else:
            SilentAddress.objects.get_or_create(mark=mark, defaults={"since": timezone.now()})
    elif scope == "game":
        Seat.objects.filter(player=wish.player, game=wish.game).update(mails=on)
    else:
        names = [PREFERENCES[wish.kind]] if scope == "kind" else list(PREFERENCES.values())
        for name in names:
            setattr(wish.player, name, on)
        wish.player.save(update_fields=sorted(set(names)))
