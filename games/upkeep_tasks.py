"""Maintenance tasks, daily or more often. Rows determine what is left to do, so every task may run twice."""

from functools import partial

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from core import batches
from core.task_queue import QueuedOnce, queue_on_commit
from games import rated_games
from games.conduct import contacts
from games.notices import pruning, push_subscriptions
from games.tables import guests
from ratings import calibration_months


@shared_task(ignore_result=True)
def forget_addresses() -> None:
    """Delete addresses of guests that are no longer needed, and close guests who no longer play."""
    batches.run_row("addresses", partial(guests.forget_addresses, timezone.now()))
    if guests.close_idle_guests(timezone.now()) >= guests.BATCH:
        forget_addresses.delay()


@shared_task(ignore_result=True)
def prune_notices() -> None:
    """Prune old notices, counts of limits, and devices of ended sessions; queue another task if there are
    more notices."""
    batches.run_row("contacts", partial(contacts.forget_old, timezone.now()))
    batches.run_row("devices", push_subscriptions.forget_ended)
    if pruning.prune(timezone.now(), seconds=settings.TASK_SECONDS / 2):
        prune_notices.delay()


@shared_task(base=QueuedOnce, ignore_result=True)
def rate_games() -> None:
    """Rate remaining games, and count outcomes by expectation; what takes longer than half a task's time
    limit is left to the next task."""
    batches.run_row("moderated games", partial(rated_games.follow_moderators, timezone.now()))
    half = settings.TASK_SECONDS / 4
    if not (rated_games.rate_games(seconds=half) and calibration_months.count_months(seconds=half)):
        queue_on_commit("games.upkeep_tasks.rate_games")
