"""Tasks that the site asks of itself."""

from celery import shared_task
from django.core.cache import cache

ANSWER_SECONDS = 60


def build_answer_key(token: str) -> str:
    """Under which a worker's answer to *token* lies in the cache."""
    return f"answered:{token}"


@shared_task(ignore_result=True)
def answer(token: str) -> None:
    """Let whoever has sent *token* know that some worker takes from the queue that it was sent to."""
    cache.set(build_answer_key(token), True, ANSWER_SECONDS)
