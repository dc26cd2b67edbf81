"""Celery tasks of leagues: idempotent, and safe to run concurrently."""

from datetime import datetime
from functools import partial

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from core import batches
from core.task_queue import QueuedOnce, queue_on_commit
from leagues import seasons
from leagues.models import Season
from leagues.selectors import desk


@shared_task(base=QueuedOnce, ignore_result=True)
def advance() -> None:
    """Run the due steps of leagues; what takes longer than half the time limit is left to the next task."""
    if not seasons.advance(timezone.now(), seconds=settings.TASK_SECONDS / 2):
        queue_on_commit("leagues.tasks.advance")


@shared_task(ignore_result=True)
def tell_organisers() -> None:
    """Notify organisers of new matters on their desks."""
    now = timezone.now()
    for season in desk.find_seasons_due_for_mail(now):
        batches.run_row(f"season {season.pk}", partial(_tell_organisers, season, now))


@shared_task(ignore_result=True)
def forget_requests() -> None:
    """Delete old requests to organisers."""
    seasons.forget_requests(timezone.now())


def _tell_organisers(season: Season, now: datetime) -> None:
    matters = desk.list_matters(season, now)
    seasons.tell_organisers(league_id=season.league_id, matters=matters, now=now)
