"""What is done once a day, for moderators. Rows say what is left to do: every task may run twice."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from games.conduct import contacts, evidence
from games.fair_play import search
from games.notices import pruning
from games.play import ended_seats
from games.tables import guests


@shared_task(ignore_result=True)
def forget_evidence() -> None:
    """Forget the evidence of what was decided long ago."""
    evidence.forget_old(now=timezone.now())


@shared_task(ignore_result=True)
def forget_addresses() -> None:
    """Forget the addresses of guests that are needed no longer."""
    guests.forget_addresses(timezone.now())


@shared_task(ignore_result=True)
def mend_seats() -> None:
    """Write into seats when their games ended where a program of an earlier release did not."""
    ended_seats.mend()


@shared_task(ignore_result=True)
def prune_notices() -> None:
    """Prune old notices, and what limits counted; as long as there are more notices, another task goes on."""
    contacts.forget_old(timezone.now())
    if pruning.prune(timezone.now(), seconds=settings.TASK_SECONDS / 2):
        prune_notices.delay()


@shared_task(ignore_result=True)
def look_for_signals() -> None:
    """Once a day: look for what may speak against fair play, so that moderators can look at it."""
    search.compare_accounts(timezone.now())
    search_games.delay()


@shared_task(ignore_result=True)
def search_games() -> None:
    """Go on with the search of games; as long as it gets on, another task goes on after this one."""
    done = search.search_games(timezone.now(), seconds=settings.TASK_SECONDS / 2)
    if not done.done and (done.read or done.asked or done.looked_at):
        search_games.delay()
