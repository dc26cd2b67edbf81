"""What the beat asks of accounts."""

from celery import shared_task
from django.utils import timezone

from accounts import services


@shared_task(ignore_result=True)
def remove_unconfirmed() -> None:
    """Remove accounts that nobody has confirmed, a batch at a time."""
    if services.remove_unconfirmed(now=timezone.now()) >= services.BATCH:
        remove_unconfirmed.delay()
