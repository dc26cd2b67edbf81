"""Signals as rows: created once, refreshed when found again, settled by moderators."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import multi_account
from accounts.interests import Recusal
from accounts.models import Player
from accounts.references import says
from games import access
from games.conduct.interests import find_recusal_from, must_be_impartial
from games.exceptions import Refused
from moderation.models import Signal, SignalKind, SignalVerdict

LONGEST_REASON = 500

OF_TRACES = (SignalKind.DEVICE, SignalKind.NETWORK, SignalKind.MAILBOX)

ANEW = 1.5
"""Factor by which the score of a settled signal must grow for it to be shown again."""


class Found(NamedTuple):
    """A finding for a moderator: the people by primary key, and the values of ``Signal``."""

    kind: SignalKind
    subject: int
    other: int | None
    score: float
    base_rate: float
    data: dict[str, Any]


@transaction.atomic
def record(finding: Found, *, now: datetime) -> None:
    """Store *finding*, or refresh it. A settled signal stays so, unless its score has grown much."""
    people = Player.objects.filter(pk__in=[finding.subject, finding.other or finding.subject], closed=None)
    if people.count() < (1 if finding.other is None else 2):
        return
    fresh = {
        "score": finding.score,
        "base_rate": finding.base_rate,
        "data": finding.data,
        "refreshed": now,
    }
    key = {"kind": finding.kind, "subject_id": finding.subject, "other_id": finding.other}
    signal = Signal.objects.select_for_update().filter(**key).first()
    if signal is None:
        Signal.objects.create(**key, **fresh, found=now)
        return
    if signal.settled is not None:
        if finding.score < ANEW * signal.score:
            Signal.objects.filter(pk=signal.pk).update(refreshed=now)
            return
        fresh |= {"settled": None, "settled_by": None, "verdict": "", "why": "", "found": now}
        fresh["own_matter"] = None
    Signal.objects.filter(pk=signal.pk).update(**fresh)


def find_waiting() -> QuerySet[Signal]:
    """Return the signals to settle, the oldest first."""
    return Signal.objects.filter(settled=None).order_by("found", "pk")


def about(player: Player) -> QuerySet[Signal]:
    """Return all signals about *player*, the latest first."""
    return Signal.objects.filter(Q(subject=player) | Q(other=player)).order_by("-found", "-pk")


def may_look(viewer: Player, signal: Signal) -> bool:
    """Return whether *viewer* is a moderator and not the subject of *signal*."""
    return access.is_moderator(viewer) and viewer.pk not in (signal.subject_id, signal.other_id)


def find_recusal(viewer: Player, signal: Signal) -> Recusal | None:
    """Return why *viewer*, a moderator, leaves *signal* to others; ``None`` if they settle it."""
    people = [person for person in (signal.subject, signal.other) if person is not None]
    kept = (find_recusal_from(viewer, person, opened=signal.found) for person in people)
    recusals = [recusal for recusal in kept if recusal is not None]
    return min(recusals, key=lambda recusal: recusal.may_act, default=None)


def format_version(signal: Signal) -> str:
    """Return a version that changes whenever *signal* is found again."""
    return signal.refreshed.isoformat()


@transaction.atomic
def settle(
    *,
    signal: int,
    who: Player,
    verdict: SignalVerdict,
    why: str,
    now: datetime,
    expected_version: str | None = None,
) -> Signal:
    """Settle a signal. Idempotent.

    :raises Refused: they may not, give no reason or a long one, somebody was quicker, or it was found again
        since they looked
    """
    rows = Signal.objects.select_for_update(of=("self",)).select_related("subject", "other", "settled_by")
    row = rows.get(pk=signal)
    if not may_look(who, row):
        raise Refused("may_not_moderate")
    own_matter = must_be_impartial(find_recusal(who, row))
    why = why.strip()
    if not why:
        raise Refused("say_why")
    if len(why) > LONGEST_REASON:
        raise Refused("reason_too_long")
    if row.settled is not None:
        if (row.settled_by_id, row.verdict) == (who.pk, verdict) and says(row, why=why):
            return row
        raise Refused("settled_already")
    if expected_version not in (None, format_version(row)):
        raise Refused("signal_moved_on")
    row.settled, row.settled_by, row.verdict, row.why = now, who, verdict, why
    row.own_matter = own_matter or None
    row.save(update_fields=["settled", "settled_by", "verdict", "why", "own_matter"])
    return row


def forget_old(*, now: datetime) -> None:
    """Delete signals from traces that are deleted by now (``accounts.multi_account``)."""
    Signal.objects.filter(kind__in=OF_TRACES, refreshed__lt=now - multi_account.KEPT).delete()


def forget(player: Player) -> None:
    """Delete all signals about *player*, whose account is being closed."""
    about(player).delete()
