"""Tasks of accounts, started by the beat. Rows store what is left to do: every task may run twice."""

from datetime import date, datetime
from functools import partial

from celery import shared_task
from django.utils import timezone

from accounts import addresses, closing, export, letters, multi_account, services, sessions
from accounts.models import BarredAddress, ClosedName, Player
from core import attempts, batches
from core.task_queue import QueuedOnce


@shared_task(ignore_result=True)
def remove_unconfirmed() -> None:
    """Remove accounts that nobody has confirmed, a batch at a time."""
    if services.remove_unconfirmed(now=timezone.now()) >= services.BATCH:
        remove_unconfirmed.delay()


@shared_task(ignore_result=True)
def forget_sessions() -> None:
    """Delete expired sessions, and old traces."""
    now = timezone.now()
    batches.run_row("sessions", partial(sessions.forget_ended, now=now))
    batches.run_row("traces", partial(multi_account.forget_old, now=now))


@shared_task(ignore_result=True)
def note_traces(player: int, marks: dict[str, str], day: str) -> None:
    """Store traces of an account, unless it has been closed since."""
    if Player.objects.filter(pk=player, closed=None).exists():
        multi_account.write(player, marks, date.fromisoformat(day))


@shared_task(base=QueuedOnce, ignore_result=True)
def deliver_letters() -> None:
    """Send the mails about accounts that are due, in the queue of the other mails."""
    if letters.deliver(now=timezone.now()) >= letters.BATCH:
        deliver_letters.delay()


@shared_task(ignore_result=True)
def make_export(pk: int) -> None:
    """Make the file that a player has asked for."""
    export.make(pk=pk, now=timezone.now())


@shared_task(ignore_result=True)
def sweep() -> None:
    """Close, forget and make what is due, and send letters that were not sent."""
    now = timezone.now()
    batches.run_row("close accounts", partial(_close_due, now))
    batches.run_row("forget addresses", partial(addresses.forget_old, now=now))
    batches.run_row("forget exports", partial(export.expire, now=now))
    batches.run_row("forget barred addresses", partial(BarredAddress.objects.forget_old, now))
    batches.run_row("forget names of guests", partial(ClosedName.objects.forget_old, now))
    resting = attempts.list_resting(make_export.name)
    for pk in export.list_unmade():
        if pk not in resting:
            make_export.delay(pk)
    deliver_letters.delay()


def _close_due(now: datetime) -> None:
    if closing.close_due(now=now) >= services.BATCH:
        sweep.delay()
