"""Task by which the doctor checks workers."""

from celery import shared_task
from django.core.cache import cache

ANSWER_SECONDS = 60


def build_answer_key(token: str) -> str:
    """The cache key of a worker's answer to *token*."""
    return f"answered:{token}"


@shared_task(ignore_result=True)
def answer(token: str) -> None:
    """Answer *token* through the cache, to show that a worker serves the queue."""
    cache.set(build_answer_key(token), True, ANSWER_SECONDS)
