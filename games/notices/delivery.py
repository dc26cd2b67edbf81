"""Delivering what the outbox holds: claim, send, mark. Safe at any time, alone or beside another.

A claim is a lease. Whoever dies with one loses it, and the notice is sent by somebody else; so a crash
between the mail server's acceptance and our commit repeats a mail, with the same Message-ID, and nothing
else does. Nothing is sent or drawn inside a transaction.
"""

import logging
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from games import clocks, heartbeat, outbox, play
from games.models import Answer, Channel, Game, Kind, Notice, SilentAddress, Status
from games.notices import elsewhere, email, table_letters

LEASE = timedelta(seconds=2 * settings.TASK_SECONDS)  # no task lives longer, so no claim outlasts its owner
PATIENCE = timedelta(days=1)  # with a mail that is refused; else a game whose notice can't be sent never ends
BATCH = 1000
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(minutes=30)

CHANNELS = {Channel.EMAIL.value: email}

logger = logging.getLogger(__name__)


def pause_after(attempts: int) -> timedelta:
    """How long to wait after so many attempts that failed: 1, 2, 4 … up to 30 minutes."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempts - 1, 10))


def free(now: datetime) -> QuerySet[Notice]:
    """What is due and in nobody's hands."""
    unclaimed = Q(claimed=None) | Q(claimed__lt=now - LEASE)
    return Notice.objects.filter(unclaimed, sent=None, dropped=None, next_try__lte=now)


def deliver_due(*, seconds: float) -> bool:
    """Deliver what is due, for about so many *seconds*. Answers whether something is left to do now."""
    stop = time.monotonic() + seconds
    with email.Connection() as connection:
        # Whatever is tried is no longer due, so each batch is another one, until there is none.
        while batch := _due(timezone.now()):
            for pk in batch:
                if time.monotonic() > stop:
                    return True
                now = timezone.now()
                if free(now).filter(pk=pk).update(claimed=now) and not _deliver(pk, connection):
                    return False  # the server is away: the others would fail likewise
    return False


def _due(now: datetime) -> list[int]:
    """The keys of what is due and in nobody's hands, the oldest first; at most a batch."""
    return list(free(now).order_by("next_try", "pk").values_list("pk", flat=True)[:BATCH])


def _deliver(pk: int, connection: email.Connection) -> bool:
    """Send a claimed notice, or drop it if it is stale. Answers whether the channel works."""
    notice = Notice.objects.select_related("game", "recipient", "invitation__inviter").get(pk=pk)
    now = timezone.now()
    try:
        if premature(notice, now):
            Notice.objects.filter(pk=pk).update(claimed=None, next_try=now + FIRST_PAUSE)
            return True
        reason = why_not(notice, now)
        if reason:
            _drop(notice, reason)
            return True
        CHANNELS[notice.channel].send(notice, connection)
    except elsewhere.NothingToTell:
        _drop(notice, "stale")
        return True
    except email.AddressRefused as error:
        _drop(notice, "refused", str(error))
        return True
    except email.MailRefused as error:
        if timezone.now() < notice.due + PATIENCE:
            _try_again(notice, str(error))
        else:
            _drop(notice, "refused", str(error))
        return True
    except email.ServerAway as error:
        _try_again(notice, str(error))
        return False
    except Exception as error:  # a fault of ours in one mail must not keep the others from going out
        logger.exception("Notice %s could not be sent", notice.key)
        _try_again(notice, f"{type(error).__name__}: {error}")
        return True
    _mark_sent(notice, timezone.now())
    return True


def premature(notice: Notice, now: datetime) -> bool:
    """Whether *notice* reminds of a deadline that has passed and is about to be moved, with its reminders."""
    if notice.kind != Kind.REMINDER or not clocks.late(now, notice.of_game.deadline):
        return False
    return bool(heartbeat.outages(now))


def why_not(notice: Notice, now: datetime) -> str:
    """Why *notice* need not be sent any more: ``stale`` or ``unwanted``; empty if it must be."""
    player = notice.recipient
    if player is None:
        if SilentAddress.objects.filter(address__iexact=notice.address).exists():
            return "unwanted"
    elif not outbox.wants(player, notice.kind):
        return "unwanted"
    if notice.game is None:
        return ""  # whoever writes it says whether it still matters
    return _why_not_in(notice.game, notice, now)


def _why_not_in(game: Game, notice: Notice, now: datetime) -> str:
    """The same of a notice about *game*."""
    player = notice.recipient
    if notice.kind == Kind.INVITATION:
        invitation = notice.invitation
        assert invitation is not None
        still = game.status == Status.OPEN and invitation.answer == Answer.PENDING
        return "" if still else "stale"
    if notice.kind == Kind.NUDGE:
        return "" if game.status == Status.OPEN and game.nudged is not None else "stale"
    if notice.kind == Kind.REMOVED:
        return "stale" if game.seats.filter(player=player).exists() else ""  # the host has thought again
    if notice.kind == Kind.DECLINED:
        return "" if game.status == Status.OPEN else "stale"
    seat = game.seats.filter(player=player).first()
    if notice.kind == Kind.TABLE and (seat is None or seat.mails):
        return "" if game.running and table_letters.still_matters(notice, seat) else "stale"
    if notice.kind == Kind.MODERATION and seat is None:
        return ""  # who has been replaced
    if seat is None or not seat.mails:
        return "unwanted"
    if notice.kind == Kind.MODERATION:
        return ""
    if notice.kind == Kind.GAME_OVER:
        return ""
    if game.status != Status.PLAYING or seat.left:
        return "stale"
    if notice.kind == Kind.STARTED:
        moved = game.moves.filter(seat=seat.index, ply__isnull=False).exists()
        return "stale" if moved or game.awaited == seat.index else ""
    if game.awaited != seat.index or game.turn_version != notice.version:
        return "stale"
    if notice.kind == Kind.REMINDER:
        told = Notice.objects.filter(game=game, version=notice.version, recipient=player)
        last = told.aggregate(last=Max("sent"))["last"]
        if clocks.too_soon(last, now) or clocks.late(now, game.deadline):
            return "stale"
    return ""


def _drop(notice: Notice, reason: str, error: str = "") -> None:
    Notice.objects.filter(pk=notice.pk, sent=None).update(
        dropped=timezone.now(), why_dropped=reason, last_error=error
    )


def _try_again(notice: Notice, error: str) -> None:
    attempts = notice.attempts + 1
    Notice.objects.filter(pk=notice.pk, sent=None).update(
        attempts=attempts,
        last_error=error,
        claimed=None,
        next_try=timezone.now() + pause_after(attempts),
    )


@transaction.atomic
def _mark_sent(notice: Notice, now: datetime) -> None:
    """Note that it went out; a turn whose notice came late gets the time that was lost."""
    if notice.game_id is not None:
        Game.objects.select_for_update().get(pk=notice.game_id)  # before the notice, as everybody does
    Notice.objects.filter(pk=notice.pk).update(
        sent=now, attempts=notice.attempts + 1, last_error="", dropped=None, why_dropped=""
    )
    if notice.kind == Kind.YOUR_TURN:
        play.note_late_notice(game_id=notice.of_game.pk, version=notice.version, due=notice.due, sent=now)


def send_again(*, notices: QuerySet[Notice], now: datetime) -> None:
    """Put *notices* back into the outbox. Harmless: what is stale is dropped again, a repeat has its old
    Message-ID, and what was sent or dropped before counts as due from *now*, so no deadline moves."""
    with transaction.atomic():
        notices.exclude(sent=None, dropped=None).update(due=now)
        notices.update(sent=None, dropped=None, why_dropped="", claimed=None, next_try=now)
