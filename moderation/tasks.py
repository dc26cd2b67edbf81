"""Daily Celery tasks of moderation, all idempotent."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from moderation.acts import evidence
from moderation.fair_play import search


@shared_task(ignore_result=True)
def forget_evidence() -> None:
    """Delete expired evidence."""
    evidence.forget_old(now=timezone.now())


@shared_task(ignore_result=True)
def look_for_signals() -> None:
    """Search for signals of unfair play."""
    search.compare_accounts(timezone.now())
    search_games.delay()


@shared_task(ignore_result=True)
def search_games() -> None:
    """Continue the search of games; queue another task as long as there is progress."""
    done = search.search_games(timezone.now(), seconds=settings.TASK_SECONDS / 2)
    if not done.done and (done.read or done.asked or done.looked_at):
        search_games.delay()
