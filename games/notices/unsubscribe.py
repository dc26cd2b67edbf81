"""Stopping mails with one click: a signed token names the mail with the link, so its reader and kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core import signing
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from accounts.address_hashes import hash_address
from accounts.models import Player
from accounts.notice_preferences import Channel, NoticeEvent, Timing, read_timing, set_timings
from games.models import Game, Kind, Notice, PrunedNotice, Seat, SilentAddress
from games.outbox import EVENTS

SALT = "games.notices.unsubscribe"
DATED, RESUME = f"{SALT}.dated", f"{SALT}.resume"
GOOD_FOR = timedelta(days=365)
"""Time for which the link in a mail works."""
OLD_LINKS_UNTIL = datetime(2027, 12, 1, tzinfo=UTC)
"""End of the time during which links without a date, from the first releases, still work."""
TIME_TO_RESUME = timedelta(days=1)
SEATS = "seats"
"""Key of what was stopped: the timings of single games, by the seat's primary key."""


class LinkExpired(Exception):
    """The link is genuine, but too old."""


@dataclass(frozen=True)
class StopRequest:
    """The mails that a token stops: those to *player*, or to an *address* that has no account."""

    player: Player | None
    address: str  # empty where only its hash is left
    address_mark: str
    kind: Kind
    game: Game | None
    of_all: bool = False  # whether the mail was about several things


def build_token(notice: Notice, *, of_all: bool = False) -> str:
    """Return the token for the mail of *notice*: its primary key, as links must not show addresses, and the
    time; and whether the mail was about *of_all*, several notices.

    It works for a year, even if the notice is pruned: old mails must be able to stop new ones.
    """
    more = {"all": True} if of_all else {}
    return signing.TimestampSigner(salt=DATED).sign_object({"n": notice.pk, **more})


def read(token: str) -> StopRequest:
    """Return the mails that *token* stops.

    :raises Http404: it is not valid
    :raises LinkExpired: it is more than a year old
    """
    try:
        payload = signing.TimestampSigner(salt=DATED).unsign_object(token, max_age=GOOD_FOR)
    except signing.SignatureExpired as error:
        raise LinkExpired from error
    except signing.BadSignature:
        payload = _read_undated(token)
    if "n" in payload:
        return replace(_wish_of(payload["n"]), of_all=bool(payload.get("all")))
    player = Player.objects.filter(pk=payload.get("p")).first()
    address, game = payload.get("a", ""), Game.objects.filter(pk=payload["g"]).first()
    return StopRequest(player, address, hash_address(address), Kind(payload["k"]), game)


def _read_undated(token: str) -> dict[str, Any]:
    """Return the contents of an old token, which names a notice, a player or an address, but no time.

    :raises Http404: it is not valid
    :raises LinkExpired: such tokens are no longer accepted
    """
    try:
        payload: dict[str, Any] = signing.Signer(salt=SALT).unsign_object(token)
    except signing.BadSignature as error:
        raise Http404 from error
    if timezone.now() >= OLD_LINKS_UNTIL:
        raise LinkExpired
    return payload


def _wish_of(number: int) -> StopRequest:
    """Return the mails that the link in a notice's mail stops, even if the notice is pruned.

    :raises Http404: there was none, or none that can be stopped
    """
    wish = {"pk": number, "kind__in": list(EVENTS)}
    notice = Notice.objects.select_related("recipient", "game").filter(**wish).first()
    if notice is not None:
        return StopRequest(
            notice.recipient, notice.address, notice.address_mark, Kind(notice.kind), notice.game
        )
    pruned = PrunedNotice.objects.select_related("recipient", "game").filter(**wish).first()
    if pruned is None:
        raise Http404
    return StopRequest(pruned.recipient, "", "", Kind(pruned.kind), pruned.game)


def stop_mails(wish: StopRequest, scope: str) -> dict[str, Any]:
    """Stop the mails of the kind of *wish*, all about its game, or all mails; return the earlier timings.

    Games with a timing of their own follow the table of preferences from now on, else they would go on.
    """
    if wish.player is None:
        if not wish.address_mark:  # nobody is meant
            return {}
        SilentAddress.objects.get_or_create(mark=wish.address_mark, defaults={"since": timezone.now()})
        return {"address": ""}
    if scope == "game":
        seat = Seat.objects.filter(player=wish.player, game=wish.game).first()
        if seat is None or seat.is_silent:
            return {}
        before = {"game": seat.notice_timing}
        Seat.objects.filter(pk=seat.pk).update(notice_timing=Timing.NEVER)
        return before
    events = [EVENTS[wish.kind]] if scope == "kind" else list(NoticeEvent)
    before = {event.value: read_timing(wish.player, event, Channel.EMAIL).value for event in events}
    stopped = {event: timing for event, timing in before.items() if timing != Timing.NEVER}
    _set_mail_timings(wish.player, dict.fromkeys(stopped, Timing.NEVER.value))
    own = Seat.objects.filter(player=wish.player).exclude(notice_timing__in=["", Timing.NEVER])
    seats = dict(own.values_list("pk", "notice_timing"))
    Seat.objects.filter(pk__in=seats).update(notice_timing="")
    return {**stopped, SEATS: seats} if seats else stopped


def build_resume_token(token: str, stopped: dict[str, Any]) -> str:
    """Return the token by which the page that *stopped* mails with *token* can resume them."""
    return signing.dumps([token, stopped], salt=RESUME)


def resume_mails(wish: StopRequest, token: str, resume: str) -> None:
    """Resume the mails that the page has just stopped, and no others.

    :raises Http404: *resume* is not a token of that page, or is a day old
    """
    try:
        of_token, stopped = signing.loads(resume, salt=RESUME, max_age=TIME_TO_RESUME)
    except signing.BadSignature as error:
        raise Http404 from error
    if of_token != token:
        raise Http404
    if wish.player is None:
        SilentAddress.objects.filter(mark=wish.address_mark).delete()
    elif "game" in stopped:
        Seat.objects.filter(player=wish.player, game=wish.game).update(notice_timing=stopped["game"])
    else:
        for seat, timing in stopped.pop(SEATS, {}).items():
            Seat.objects.filter(pk=seat, player=wish.player, notice_timing="").update(notice_timing=timing)
        _set_mail_timings(wish.player, stopped)


@transaction.atomic
def _set_mail_timings(player: Player, timings: dict[str, str]) -> None:
    """Save these timings of *player*'s mails, by event, and keep all others as stored now."""
    now = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    set_timings(now, {(NoticeEvent(event), Channel.EMAIL): Timing(value) for event, value in timings.items()})
    now.save(update_fields=["notice_timings"])
    player.notice_timings = now.notice_timings
