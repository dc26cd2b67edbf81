"""Tasks that keep games in order, daily or often. Rows say what is left to do: every task may run twice."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from core.task_queue import QueuedOnce, queue_on_commit
from games import rated_games
from games.conduct import contacts
from games.notices import pruning, push_subscriptions
from games.tables import guests
from ratings import calibration_months


@shared_task(ignore_result=True)
def forget_addresses() -> None:
    """Forget the addresses of guests that are needed no longer, and guests who play no more."""
    guests.forget_addresses(timezone.now())
    if guests.close_idle_guests(timezone.now()) >= guests.BATCH:
        forget_addresses.delay()


@shared_task(ignore_result=True)
def prune_notices() -> None:
    """Prune old notices, what limits counted, and devices whose session is over; as long as there are more
    notices, another task goes on."""
    contacts.forget_old(timezone.now())
    push_subscriptions.forget_ended()
    if pruning.prune(timezone.now(), seconds=settings.TASK_SECONDS / 2):
        prune_notices.delay()


@shared_task(base=QueuedOnce, ignore_result=True)
def rate_games() -> None:
    """Rate what is left to rate, and count what came of what was expected; what takes longer than half the
    time of a task is left to the next one."""
    rated_games.follow_moderators(timezone.now())
    half = settings.TASK_SECONDS / 4
    if not (rated_games.rate_games(seconds=half) and calibration_months.count_months(seconds=half)):
        queue_on_commit("games.upkeep_tasks.rate_games")
