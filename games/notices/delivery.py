"""Delivery of notices in the outbox: claim a batch, send, mark as sent. Safe at any time, alone or in
parallel.

A claim is a lease. If its owner dies, it expires and another worker sends the notice; so a crash between the
mail server's acceptance and our commit repeats a mail, with the same Message-ID, and nothing else does.
Nothing is sent or drawn inside a transaction.

As many notices are claimed as can be sent in a few seconds, and the rest is released, so that no claim
expires in a living worker, and no notice is outdated. Before sending begins, a claim is short, so that others
soon take over from a worker killed by an earlier notice. Each mail is marked by itself, so a crash repeats
one.

It is not known which notice of a batch killed a worker. So notices that lost a claim are claimed alone from
then on; after ``LOST`` lost claims they are given up.
"""

import logging
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import InterfaceError, OperationalError, connections, transaction
from django.db import connection as database
from django.db.models import Case, F, Q, QuerySet, When
from django.utils import timezone

from accounts.notice_preferences import Timing, note_told_once
from core import batches
from core.failures import remove_addresses
from games import clocks, play
from games.models import (
    GIVEN_UP,
    Channel,
    DropReason,
    Game,
    Kind,
    Notice,
)
from games.notices import (
    email,
    fallback,
    folding,
    notice_facts,
    relevance,
    reminders,
    tracking,
)
from games.notices.channels import CHANNELS
from games.notices.letters import NothingToTell

LEASE = timedelta(seconds=2 * settings.TASK_SECONDS)  # no task lives longer, so no claim outlasts its owner
# With a mail that is refused or fails; else a game whose notice can't be sent never ends.
PATIENCE = timedelta(days=1)
WAITING = min(LEASE, timedelta(seconds=30))
"""Lifetime of a claim on a notice not yet in hand: a multiple of ``HOLD``, after which it is given back."""

LOST = 3
"""Number of lost claims after which a notice is given up, as it has killed the workers that sent it."""

MAIL = (Channel.EMAIL,)
OUTGOING = (Channel.PUSH, Channel.WEBHOOK)
"""Channels to servers that players choose, however slow: they have a queue of their own."""

ALL = (*MAIL, *OUTGOING)
BATCH = 32
HOLD = 5.0  # seconds for which claims are kept; far less than a lease, and what is told is as old at most
SECONDS_TO_RETRY = 0.5
SKEW = timedelta(seconds=10)
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(minutes=30)

IN_HAND = """
UPDATE games_notice SET claimed = %s, attempts = attempts + 1
 WHERE id = %s AND claimed = %s AND sent IS NULL AND dropped IS NULL
"""
SENT = """
UPDATE games_notice SET sent = %s, last_error = '', dropped = NULL, why_dropped = '',
       provider_id = %s, fate = '', fate_at = NULL
 WHERE id = %s
"""
"""Raw SQL for speed: a mail is sent twice if its worker is killed before this is done."""

logger = logging.getLogger(__name__)


def pause_after(attempts: int) -> timedelta:
    """Return the pause after so many failed attempts: 1, 2, 4 … up to 30 minutes."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempts - 1, 10))


def free(now: datetime, channels: Sequence[Channel] = ALL) -> QuerySet[Notice]:
    """Return what is due by *channels* and in nobody's hands."""
    after, before = compute_lease_window(now)
    unclaimed = Q(claimed=None) | Q(claimed__lt=after) | Q(claimed__gt=before)
    return Notice.objects.filter(unclaimed, sent=None, dropped=None, next_try__lte=now, channel__in=channels)


def compute_lease_window(now: datetime) -> tuple[datetime, datetime]:
    """Return between which times a valid claim was made; later ones come from a clock that was set back."""
    return now - LEASE, now + SKEW


def deliver_due(*, seconds: float, channels: Sequence[Channel] = ALL) -> bool:
    """Deliver notices that are due by *channels* for about so many *seconds*. Return whether any are left to
    do now."""
    stop = time.monotonic() + seconds
    if Channel.EMAIL in channels:
        batches.run_row("reminders", lambda: reminders.owe(timezone.now()), writes=False)
    most, alone = BATCH, False
    with email.Connection() as connection:
        # A notice that was tried is no longer due, so each batch is another one, until there is none. Batches
        # and single notices with lost claims alternate, so that neither kind holds up the other.
        while batch := _claim(channels, most, lost=alone) or _claim(channels, most, lost=not alone):
            batches.note_progress()  # if this worker dies now, the attempts are counted by its claims
            done = _deliver_all(batch, connection, stop)
            if done.ended is not None:
                return done.ended
            if not batch[0].lost:
                most = BATCH if done.tried == len(batch) else max(1, done.tried)
            alone = not batch[0].lost
    return False


def deliver_outgoing(*, seconds: float) -> bool:
    """Deliver due notices to push services and webhooks for about so many *seconds*, in turns, so that
    neither waits long for the other. Return whether any are left to do now."""
    stop = time.monotonic() + seconds
    while time.monotonic() < stop:
        left = [deliver_due(seconds=HOLD, channels=[channel]) for channel in OUTGOING]
        if not any(left):
            return False
    return True


class _Done(NamedTuple):
    """The number of notices *tried* of a batch; *ended*: whether any are left, if no batch is to follow."""

    tried: int
    ended: bool | None = None


def _claim(channels: Sequence[Channel], most: int, *, lost: bool) -> list[Notice]:
    """Claim notices due by *channels*, the oldest first, at most so many; or a single one of which a claim
    was *lost*."""
    now = timezone.now()
    # The usual case: a transaction that writes makes others wait on SQLite.
    if not free(now, channels).exists():
        return []
    skips = database.features.has_select_for_update_skip_locked
    locking = " FOR UPDATE OF notice SKIP LOCKED" if skips else ""
    until = now - LEASE + WAITING
    with transaction.atomic():
        batch = notice_facts.load_due_notices(
            now, channels, compute_lease_window(now), 1 if lost else most, lost=lost, ending=locking
        )
        if batch:
            claimed = Notice.objects.filter(pk__in=[notice.pk for notice in batch])
            claimed.update(claimed=until, lost=F("lost") + Case(When(claimed=None, then=0), default=1))
    for notice in batch:
        notice.lost += notice.claimed is not None
        notice.claimed = until
    return batch


def _take_in_hand(notice: Notice) -> bool:
    """Extend the claim of *notice* while it is sent, and count the attempt. Return whether the claim was
    still ours."""
    now = timezone.now()
    if notice.claimed is None:  # it is to go out with another
        unclaimed = Notice.objects.filter(pk=notice.pk, claimed=None, sent=None, dropped=None)
        taken = unclaimed.update(claimed=now, attempts=F("attempts") + 1) == 1
    else:
        adapt = database.ops.adapt_datetimefield_value
        with database.cursor() as cursor:
            cursor.execute(IN_HAND, [adapt(now), notice.pk, adapt(notice.claimed)])
            taken = cursor.rowcount == 1
    notice.claimed = now
    notice.attempts += 1
    return taken


def _give_back(batch: Collection[Notice]) -> None:
    """Release the claims of *batch* on notices that were not tried."""
    if batch:
        left = Notice.objects.filter(pk__in=[notice.pk for notice in batch], sent=None, dropped=None)
        left.filter(claimed__in={notice.claimed for notice in batch}).update(claimed=None)


def _deliver_all(batch: Sequence[Notice], connection: email.Connection, stop: float) -> _Done:
    """Deliver the claimed notices of *batch* until *stop*, on the monotonic clock, or as long as claims last;
    then release the rest."""
    if batch[0].lost >= LOST:
        _give_up_on_killer(batch[0])  # it may have killed the worker that read it
        return _Done(1)
    tried = 0
    until = time.monotonic() + HOLD
    try:
        _read(batch)
        for notice in batch:
            if time.monotonic() > stop:
                return _Done(tried, ended=True)
            if time.monotonic() > until and tried:
                break
            tried += 1
            if not _deliver(notice, connection, batch):
                return _Done(tried, ended=False)  # the server is unreachable: the others would fail likewise
            notice_facts.forget(notice, batch[tried:])
    finally:
        _give_back(batch[tried:])
    return _Done(tried)


def _read(batch: Sequence[Notice]) -> None:
    try:
        notice_facts.read(batch)
    except SoftTimeLimitExceeded:
        raise
    except Exception:  # a bug in one game: each notice is then read by itself, and fails by itself
        logger.exception("Notices could not be read together")


def _deliver(notice: Notice, connection: email.Connection, batch: Sequence[Notice]) -> bool:
    """Send a claimed notice of *batch* and its companions, or drop it if it is stale. Return whether the
    channel works."""
    if not _take_in_hand(notice):
        return True  # it took so long that another worker has claimed it
    together = [notice]
    try:
        if _settle_unsent(notice):
            return True
        provider_id = _send(together, connection, batch)
    except NothingToTell:
        _drop(notice, DropReason.STALE)
        return True
    except email.AddressRefused as error:
        for companion in together:
            _drop(companion, DropReason.REFUSED, str(error))
            _tell_otherwise(companion, timezone.now())
        if notice.recipient is not None and notice.channel == Channel.EMAIL:
            tracking.note_refusal(notice.recipient, timezone.now())
        return True
    except email.MailRefused as error:
        for companion in together:
            _try_again_or_give_up(companion, DropReason.REFUSED, str(error))
        return True
    except email.ServerAway as error:
        for companion in together:
            _try_again(companion, str(error))
        return notice.channel != Channel.EMAIL  # each player's webhooks are on servers of their own
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # a bug in one mail must not keep the others from going out
        logger.exception("Notice %s could not be sent", notice.key)
        for companion in together:
            _try_again_or_give_up(companion, GIVEN_UP, f"{type(error).__name__}: {error}")
        return True
    for companion in together:
        _mark_sent_when_possible(companion, provider_id)
    return True


def _settle_unsent(notice: Notice) -> bool:
    """Drop or postpone *notice*, whose claim is ours, if it shouldn't be sent now. Return whether it was."""
    now = timezone.now()
    later = relevance.find_postponement(notice, now)
    if later is not None:
        changes: dict[str, Any] = {"claimed": None, "next_try": later, "attempts": notice.attempts - 1}
        if not relevance.premature(notice, now):
            changes["due"] = later  # a delay by the player's own preferences stops no clock (CLOCK-7)
        Notice.objects.filter(pk=notice.pk).update(**changes)
        return True
    reason = relevance.why_not(notice, now)
    if reason:
        _drop(notice, reason)
        if reason == DropReason.PAUSED:
            _tell_otherwise(notice, now)
    return bool(reason)


def _tell_otherwise(notice: Notice, now: datetime) -> None:
    batches.run_row(f"fallback {notice.pk}", partial(fallback.tell_otherwise, notice, now))


def _send(together: list[Notice], connection: email.Connection, batch: Sequence[Notice]) -> str:
    """Send the one notice in *together* by its channel, with those that go into the same mail, or that it
    makes needless, which are added to the list."""
    notice = together[0]
    if notice.kind == Kind.REPLY:
        mail = email.compose(notice)
        turn = folding.find_told_turn(notice, batch)
        if turn is not None and _take_in_hand(turn):
            together.append(turn)
        return connection.send(mail)
    candidates = folding.find_companions(notice, batch)
    if not candidates:
        return CHANNELS[notice.channel].send(notice, connection)
    sections = [email.compose_section(notice)]
    for candidate in candidates:
        section = _compose_companion(candidate)
        if section is not None:
            together.append(candidate)
            sections.append(section)
    if len(sections) == 1:
        return CHANNELS[notice.channel].send(notice, connection)
    return connection.send(email.compose_folded(sections))


def _compose_companion(notice: Notice) -> email.MailSection | None:
    """Claim *notice* and write its section of a mail; ``None`` if it shouldn't be sent, or not now."""
    if not _take_in_hand(notice):
        return None
    try:
        return None if _settle_unsent(notice) else email.compose_section(notice)
    except NothingToTell:
        _drop(notice, DropReason.STALE)
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # a bug in one section must not keep the others from going out
        logger.exception("Notice %s could not be sent with others", notice.key)
        _try_again_or_give_up(notice, GIVEN_UP, f"{type(error).__name__}: {error}")
    return None


def _drop(notice: Notice, reason: str, error: str = "") -> None:
    Notice.objects.filter(pk=notice.pk, sent=None).update(
        dropped=timezone.now(), why_dropped=reason, last_error=remove_addresses(error)
    )


def _try_again_or_give_up(notice: Notice, reason: str, error: str) -> None:
    if timezone.now() < notice.due + PATIENCE:
        _try_again(notice, error)
    else:
        _give_up(notice, reason, error)


def _give_up(notice: Notice, reason: str, error: str) -> None:
    """Drop *notice*, which could not be sent: from now on the clock of its turn runs (CLOCK-7)."""
    now = timezone.now()
    with _waited_for(notice, now):
        _drop(notice, reason, error)
    _tell_otherwise(notice, now)


def _give_up_on_killer(notice: Notice) -> None:
    """Drop *notice*, of which too many claims were lost. If even that kills the worker, the next one drops it
    without crediting the clock, which may be the cause."""
    error = f"Whoever sent it was killed or did not end, {notice.lost} times"
    logger.error("Notice %s is given up: %s", notice.key, error)
    if notice.lost == LOST:
        _give_up(notice, GIVEN_UP, error)
    else:
        _drop(notice, GIVEN_UP, error)


def _try_again(notice: Notice, error: str) -> None:
    Notice.objects.filter(pk=notice.pk, sent=None).update(
        last_error=remove_addresses(error),
        claimed=None,
        next_try=timezone.now() + pause_after(notice.attempts),
    )


def _mark_sent_when_possible(notice: Notice, provider_id: str) -> None:
    """Mark *notice* as sent as soon as the database is available; otherwise it would be sent again.

    :raises OperationalError: the database stayed away for an eighth of a task's time; the last try may wait
      ten more seconds for a connection
    """
    stop = time.monotonic() + settings.TASK_SECONDS / 8
    while True:
        try:
            _mark_sent(notice, provider_id, timezone.now())
        except (OperationalError, InterfaceError):
            if time.monotonic() > stop:
                raise
        else:
            return
        connections["default"].close_if_unusable_or_obsolete()
        time.sleep(SECONDS_TO_RETRY)


def _mark_sent(notice: Notice, provider_id: str, now: datetime) -> None:
    if notice.timing == Timing.ONCE and notice.recipient is not None:
        note_told_once(notice.recipient, notice.channel)
    with _waited_for(notice, now):
        at = database.ops.adapt_datetimefield_value(now)
        with database.cursor() as cursor:
            cursor.execute(SENT, [at, tracking.cut_provider_id(provider_id), notice.pk])


@contextmanager
def _waited_for(notice: Notice, now: datetime) -> Iterator[None]:
    """Mark a notice in this context as sent, or given up: a turn whose notice came late is credited the lost
    time."""
    by_mail = notice.channel == Channel.EMAIL  # a player's own webhook could fail as long as they like
    if notice.kind != Kind.YOUR_TURN or not by_mail or now - notice.due < clocks.LATE_NOTICE:
        yield
        return
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=notice.of_game.pk)  # before the notice, as everybody does
        yield
        credit = partial(play.note_late_notice, game_id=notice.of_game.pk, version=notice.version)
        batches.run_row(f"credit {notice.pk}", partial(credit, due=notice.due, sent=now))


def send_again(*, notices: QuerySet[Notice], now: datetime) -> None:
    """Put *notices* back into the outbox. That is safe: stale ones are dropped again, repeats have their old
    Message-ID, and those sent or dropped before become due *now*, so no deadline moves."""
    with transaction.atomic():
        notices.exclude(sent=None, dropped=None).update(due=now)
        notices.update(sent=None, dropped=None, why_dropped="", claimed=None, lost=0, next_try=now)
