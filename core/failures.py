"""Log of failed or timed-out tasks for the admin (dead letters).

A task whose worker has died is delivered again, and counted here (``attempts.py``). Work on one row that
failed rests for longer and longer, so that it doesn't keep others waiting. The rows hold no secrets:
only numeric arguments are kept, and the first line of errors without e-mail addresses, as PostgreSQL quotes
values of rows in the second.
"""

import json
import logging
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from celery import current_app
from celery.exceptions import TimeLimitExceeded, WorkerLostError
from django.conf import settings
from django.db import connections, transaction
from django.utils import timezone

from core import attempts
from core.connection_errors import find_missing_part
from core.models import FailedTask

KEPT = 500  # rows
ADDRESS = re.compile(r"(?<![^\s<>@/])[^\s<>@/]++@[^\s<>@]++")

logger = logging.getLogger(__name__)

_last = ""  # last recorded message: Celery reports one that hung twice


def note_failure(
    sender: Any,
    exception: BaseException,
    args: Sequence[Any] | None,
    kwargs: Any = None,
    task_id: str = "",
    **more: Any,
) -> None:
    """Store the failure of the task *sender*, or log that this failed. A handler of Celery's signal."""
    global _last
    if task_id and task_id == _last:
        return
    _last = task_id
    try:
        record_failure(
            sender.name, () if kwargs else args or (), exception, now=timezone.now(), told=not kwargs
        )
        if isinstance(exception, TimeLimitExceeded | WorkerLostError):
            attempts.lose(task_id, one_line(exception))
    except Exception:
        logger.exception("The failure of %s could not be noted", sender.name)
    if isinstance(exception, TimeLimitExceeded | WorkerLostError):
        # We are the parent of the worker's children, and the next one must not inherit a connection.
        for connection in connections.all(initialized_only=True):
            connection.close()
            if connection.vendor == "postgresql":
                connection.close_pool()  # type: ignore[attr-defined]


def record_failure(
    task: str, args: Sequence[Any], error: BaseException, *, now: datetime, told: bool = True
) -> None:
    """Store a failure of *task* with these *args*. It rests if it is work on one row."""
    arguments = json.dumps(list(args)) if told and attempts.has_only_numbers(args) else ""
    if len(arguments) > 200:
        arguments = ""
    of_a_row = arguments not in ("", attempts.WHOLE)
    note_work(task, arguments, error, now=now, rests=of_a_row and not find_missing_part(error))


@transaction.atomic
def note_work(task: str, arguments: str, error: BaseException, *, now: datetime, rests: bool) -> None:
    """Store a failure of *task* with these *arguments*, or of this unit of it, and delete the oldest rows
    above :data:`KEPT`. If so many rest already, the program is at fault, and this one doesn't."""
    resting = FailedTask.objects.filter(until__gt=now)
    rests = rests and resting.count() < KEPT
    defaults = {"times": 0, "first": now, "last": now}
    row, new = FailedTask.objects.get_or_create(task=task, arguments=arguments, defaults=defaults)
    times = 1 if rests and row.until is None else row.times + 1
    until = now + attempts.pause_after_failures(arguments, times) if rests else row.until
    FailedTask.objects.filter(pk=row.pk).update(error=one_line(error), last=now, times=times, until=until)
    if new:
        latest = FailedTask.objects.exclude(pk__in=resting.values("pk")).order_by("-last", "-pk")
        too_many = latest.values_list("pk", flat=True)[KEPT : KEPT + 100]
        FailedTask.objects.filter(pk__in=list(too_many)).delete()


def one_line(error: BaseException) -> str:
    """Return the type of *error* and the first line of its message, without e-mail addresses."""
    said = str(error).strip().split("\n")[0]
    return remove_addresses(f"{type(error).__name__}: {said}")[:300]


def remove_addresses(text: str) -> str:
    """*text* with e-mail addresses replaced."""
    return ADDRESS.sub("…@…", text)


def queue_again(failed: FailedTask) -> bool:
    """Queue *failed* again and delete its row. Return whether it can be queued.

    Work that rests may be retried once; its row is deleted when that succeeds.

    :raises OperationalError: the broker is away
    """
    if failed.task not in settings.CELERY_TASK_ROUTES or failed.arguments[:1] in ("", "#"):
        return False
    if failed.arguments[:1] == "[":
        current_app.send_task(failed.task, args=json.loads(failed.arguments), retry=False)
    if failed.until is not None:
        failed.until = timezone.now()
        failed.save(update_fields=["until"])
    else:
        failed.delete()
    return True
