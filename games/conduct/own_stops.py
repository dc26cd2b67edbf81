"""Stops that moderators may impose at once in matters of their own: for a day, and no second one before
another moderator has seen the first.

Mutes, suspensions and stops of games share one limit for each moderator and player.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.interests import Recusal
from accounts.models import Player
from games import access
from games.conduct.interests import Recused, find_recusal_from, must_be_impartial
from games.exceptions import Refused
from games.models import ModerationAct, OwnStop, Sanction

LONGEST = timedelta(hours=24)
"""Maximum length of a stop in own matters."""

AGAIN = timedelta(days=7)
"""Time before the same moderator may stop the same player again, even if the first stop was seen."""


def check(who: Player, players: Iterable[Player], recused: Recusal, now: datetime) -> None:
    """Refuse a stop of *players* by *who* in own matters if an earlier one of any of them is unseen, or less
    than a week old.

    :raises Recused: there is one
    """
    earlier = OwnStop.objects.filter(who=who, player__in=list(players))
    if earlier.filter(Q(seen=None) | Q(at__gt=now - AGAIN)).exists():
        raise Recused(recused)


def record(
    who: Player,
    players: Iterable[Player],
    recused: Recusal,
    now: datetime,
    *,
    sanction: Sanction | None = None,
    act: ModerationAct | None = None,
) -> None:
    """Record a stop of *players* by *who* in own matters, for another moderator to look at.

    :raises Recused: another one was recorded in the meantime
    """
    try:
        with transaction.atomic():
            OwnStop.objects.bulk_create(
                OwnStop(who=who, player=player, at=now, sanction=sanction, act=act) for player in players
            )
    except IntegrityError as overtaken:
        raise Recused(recused) from overtaken


def find_reason_not_to_see(stop: OwnStop, who: Player) -> Recusal | None:
    """Return why *who*, a moderator, leaves looking at *stop* to others; ``None`` if they needn't."""
    return find_recusal_from(who, stop.player, opened=stop.at, concerned={stop.who_id})


def mark_seen(stop: OwnStop, who: Player, now: datetime) -> None:
    """Note that *who*, another moderator, has looked at *stop*. Idempotent.

    :raises Refused: they imposed it, are no moderator, or share an interest with the player
    """
    if not access.is_moderator(who) or who.pk in (stop.who_id, stop.player_id):
        raise Refused("may_not_moderate")
    must_be_impartial(find_reason_not_to_see(stop, who))
    OwnStop.objects.filter(pk=stop.pk, seen=None).update(seen=now, seen_by=who)
