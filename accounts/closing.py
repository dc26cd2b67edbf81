"""Closing one's account, two weeks after asking for it."""

from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse

from accounts import letters
from accounts.models import Player
from accounts.security import log_security_event
from accounts.services import BATCH, close_account
from core import batches

TIME_TO_THINK = timedelta(days=14)
SALT = "accounts.closing"


@transaction.atomic
def ask(*, player: Player, now: datetime) -> datetime:
    """Schedule the closing of *player*'s account in two weeks, and mail a link that cancels it. Return when.

    A closing that is scheduled already keeps its day.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if player.closes is None:
        player.closes = now + TIME_TO_THINK
        player.save(update_fields=["closes"])
        link = settings.SITE_URL + reverse("accounts:keep", args=[token_for(player)])
        letters.owe(player, "closing", now=now, closes=player.closes, keep_url=link)
        log_security_event("closing-asked", player=player)
    return player.closes


@transaction.atomic
def keep(*, player: Player, now: datetime) -> bool:
    """Cancel the closing of *player*'s account. Return whether there was one."""
    kept = Player.objects.filter(pk=player.pk, closed=None).exclude(closes=None).update(closes=None)
    if kept:
        letters.forget(player, "closing")
        letters.owe(player, "kept", now=now)
        log_security_event("closing-undone", player=player)
    return bool(kept)


def token_for(player: Player) -> str:
    """Return the token that cancels this very closing of *player*'s account."""
    assert player.closes is not None
    return signing.dumps([player.pk, player.closes.isoformat()], salt=SALT)


def find_by_token(token: str) -> Player | None:
    """Return the player whose closing *token* cancels; ``None`` if it is invalid, or that closing is off."""
    try:
        pk, closes = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return Player.objects.filter(pk=pk, closes=datetime.fromisoformat(closes)).first()


def close_due(*, now: datetime) -> int:
    """Close one batch of the accounts that are due. Return how many were looked at."""
    due = Player.objects.filter(closes__lte=now, closed=None).order_by("closes")
    players = list(due.exclude(pk__in=batches.list_resting("player"))[:BATCH])
    for player in players:
        batches.run_row(f"player {player.pk}", partial(_close_if_due, player, now))
    return len(players)


@transaction.atomic
def _close_if_due(player: Player, now: datetime) -> None:
    still = Player.objects.select_for_update(no_key=True).filter(pk=player.pk, closes__lte=now)
    if still.exists():
        close_account(player=player, now=now)
        log_security_event("closed", player=player)
