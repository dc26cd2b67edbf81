"""Stopping mails with one click: a signed token says in which mail it stood, so whose mails, and which."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core import signing
from django.http import Http404
from django.utils import timezone

from accounts.address_hashes import hash_address
from accounts.models import Player
from games.models import Game, Kind, Notice, PrunedNotice, Seat, SilentAddress
from games.outbox import PREFERENCES

SALT = "games.notices.unsubscribe"
DATED, RESUME = f"{SALT}.dated", f"{SALT}.resume"
GOOD_FOR = timedelta(days=365)
"""How long the link in a mail works."""
OLD_LINKS_UNTIL = datetime(2027, 12, 1, tzinfo=UTC)
"""Until then links work that don't say when they were made, as those of the first releases."""
TIME_TO_RESUME = timedelta(days=1)


class LinkExpired(Exception):
    """The link is ours, and too old."""


@dataclass(frozen=True)
class StopRequest:
    """The mails that a token stops: those to *player*, or to an *address* that has no account."""

    player: Player | None
    address: str  # empty where only its hash is left
    address_mark: str
    kind: Kind
    game: Game | None


def build_token(notice: Notice) -> str:
    """The token in the mail of *notice*: its number, so that nobody reads an address in a link, and the time.

    It works for a year, also when the notice is pruned: old mails must be able to stop new ones.
    """
    return signing.TimestampSigner(salt=DATED).sign_object({"n": notice.pk})


def read(token: str) -> StopRequest:
    """Return what *token* stops.

    :raises Http404: it is none of ours
    :raises LinkExpired: it is more than a year old
    """
    try:
        told = signing.TimestampSigner(salt=DATED).unsign_object(token, max_age=GOOD_FOR)
    except signing.SignatureExpired as error:
        raise LinkExpired from error
    except signing.BadSignature:
        told = _read_undated(token)
    if "n" in told:
        return _wish_of(told["n"])
    player = Player.objects.filter(pk=told.get("p")).first()
    address, game = told.get("a", ""), Game.objects.filter(pk=told["g"]).first()
    return StopRequest(player, address, hash_address(address), Kind(told["k"]), game)


def _read_undated(token: str) -> dict[str, Any]:
    """What stands in a token that names a notice, a player or an address, and no time.

    :raises Http404: it is none of ours
    :raises LinkExpired: their time is over
    """
    try:
        told: dict[str, Any] = signing.Signer(salt=SALT).unsign_object(token)
    except signing.BadSignature as error:
        raise Http404 from error
    if timezone.now() >= OLD_LINKS_UNTIL:
        raise LinkExpired
    return told


def _wish_of(number: int) -> StopRequest:
    """What the link in the mail of the notice with this *number* stops, whether that is pruned or not.

    :raises Http404: there was none, or none that can be stopped
    """
    found = {"pk": number, "kind__in": PREFERENCES}
    notice = Notice.objects.select_related("recipient", "game").filter(**found).first()
    if notice is not None:
        return StopRequest(
            notice.recipient, notice.address, notice.address_mark, Kind(notice.kind), notice.game
        )
    pruned = PrunedNotice.objects.select_related("recipient", "game").filter(**found).first()
    if pruned is None:
        raise Http404
    return StopRequest(pruned.recipient, "", "", Kind(pruned.kind), pruned.game)


def stop_mails(wish: StopRequest, scope: str) -> list[str]:
    """Stop the mails of the kind of *wish*, of its game, or all; answer what was on before."""
    if wish.player is None:
        if not wish.address_mark:  # nobody is meant
            return []
        SilentAddress.objects.get_or_create(mark=wish.address_mark, defaults={"since": timezone.now()})
        return ["address"]
    if scope == "game":
        seats = Seat.objects.filter(player=wish.player, game=wish.game, mails=True)
        return ["game"] if seats.update(mails=False) else []
    names = {PREFERENCES[wish.kind]} if scope == "kind" else set(PREFERENCES.values())
    stopped = sorted(name for name in names if getattr(wish.player, name))
    _switch(wish.player, stopped, on=False)
    return stopped


def build_resume_token(token: str, stopped: list[str]) -> str:
    """Return what the page holds that has *stopped* these mails by *token*, to let them come again."""
    return signing.dumps([token, stopped], salt=RESUME)


def resume_mails(wish: StopRequest, token: str, resume: str) -> None:
    """Let the mails come again that the page has just stopped, and no others.

    :raises Http404: *resume* is no token of that page, or a day old
    """
    try:
        of_token, stopped = signing.loads(resume, salt=RESUME, max_age=TIME_TO_RESUME)
    except signing.BadSignature as error:
        raise Http404 from error
    if of_token != token:
        raise Http404
    if wish.player is None:
        SilentAddress.objects.filter(mark=wish.address_mark).delete()
    elif stopped == ["game"]:
        Seat.objects.filter(player=wish.player, game=wish.game).update(mails=True)
    else:
        _switch(wish.player, stopped, on=True)


def _switch(player: Player, names: list[str], *, on: bool) -> None:
    for name in names:
        setattr(player, name, on)
    player.save(update_fields=names)
