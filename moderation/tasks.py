"""Daily tasks of moderation. Rows say what is left to do: every task may run twice."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from moderation.acts import evidence
from moderation.fair_play import search


@shared_task(ignore_result=True)
def forget_evidence() -> None:
    """Forget the evidence of what was decided long ago."""
    evidence.forget_old(now=timezone.now())


@shared_task(ignore_result=True)
def look_for_signals() -> None:
    """Look for what may speak against fair play, so that moderators can look at it."""
    search.compare_accounts(timezone.now())
    search_games.delay()


@shared_task(ignore_result=True)
def search_games() -> None:
    """Go on with the search of games; as long as it gets on, another task goes on after this one."""
    done = search.search_games(timezone.now(), seconds=settings.TASK_SECONDS / 2)
    if not done.done and (done.read or done.asked or done.looked_at):
        search_games.delay()
