"""Queueing of tasks, and base classes of all tasks.

Rows store what is left to do; a message only makes it happen sooner. So a message that can't be sent is a
line in the log, never an error on a player's page: the sweep finds the work.
"""

import logging
import time
from functools import partial
from typing import Any

from celery.app.task import Task
from celery.exceptions import Ignore
from celery.states import SUCCESS
from django.conf import settings
from django.core.cache import caches
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


class SiteTask(Task):
    """Task whose attempts are counted, and that rests after it has killed its worker (``attempts.py``).

    Without the database nothing is counted, but then nothing can be done, either.
    """

    abstract = True
    essential = False  # tasks that never rest, however often they were lost

    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        """Note that the task begins.

        :raises Ignore: it rests, as it was lost before
        """
        from core import attempts  # needs models

        with attempts.ignore_database_errors():
            work = attempts.format_arguments(args, kwargs, task_id)
            try:
                attempts.begin(self.name, work, task_id, essential=self.essential)
            except attempts.WorkPutAside as error:
                self._send_again(task_id, args, kwargs, error.failed)
                raise Ignore(str(error)) from error

    def after_return(
        self, status: str, retval: Any, task_id: str, args: Any, kwargs: Any, einfo: Any
    ) -> None:
        from core import attempts

        attempts.end(task_id, succeeded=status == SUCCESS)

    def _send_again(self, task_id: str, args: Any, kwargs: Any, failed: Any) -> None:
        """Send the message again for when *failed* has rested. Messages that expire are left to the sweep,
        which sends others; staff queue what is put aside."""
        from core import attempts

        now = timezone.now()
        if self.request.expires is None and not attempts.select_put_aside(now).filter(pk=failed.pk).exists():
            rest = (failed.until - now).total_seconds()
            seconds = min(max(rest, 0), settings.LONGEST_COUNTDOWN)
            self.apply_async(args=args, kwargs=kwargs, task_id=task_id, countdown=seconds)


def _forget(key: str) -> None:
    try:
        caches["flags"].delete(key)
    except Exception as error:
        logger.warning("The cache is away: %s", error)


# An unreachable Redis takes seconds to fail. After one failure this process leaves everything to the sweep
# for a while, so that not every player waits for it.
SECONDS_WITHOUT_BROKER = 30.0
_away_until = 0.0


def queue_on_commit(name: str, *args: Any, countdown: float = 0) -> None:
    """Queue the task with this dotted *name* once the running transaction has committed; at once outside one.

    A name, so that services need not import the tasks that call them. The arguments must survive JSON: pass
    keys, not rows. An unavailable broker raises nothing. *countdown*: seconds to wait before the task runs.

    :raises ImportError: there is no such task
    :raises ValueError: the countdown is so long that the message would be taken for lost
    """
    if countdown > settings.LONGEST_COUNTDOWN:
        raise ValueError(
            f"{name} can't be queued {countdown:g} s ahead: {settings.LONGEST_COUNTDOWN} at most"
        )
    transaction.on_commit(partial(_send, import_string(name), args, countdown))


class QueuedOnce(SiteTask):
    """Task without arguments that is queued at most once: while a message waits, ``queue_on_commit`` adds
    none.

    A flag in the cache says that a message waits. It is deleted when the task begins, before that reads any
    row: so the task sees whatever was committed by those who found the flag set. If the message is lost, the
    flag expires, and the sweep, which queues without checking, finds the work earlier. If the flag is lost,
    or the cache is away, there is one message too many, which does no harm.
    """

    abstract = True

    def announce(self) -> bool:
        """Set the flag. Return whether a message must be sent, because the flag was not set yet."""
        try:
            return caches["flags"].add(self._flag, True, timeout=settings.TASK_SECONDS)
        except Exception as error:  # a fault of the cache must not break a player's page
            logger.warning("The cache is away: %s", error)
            return True

    def forget(self) -> None:
        """Delete the flag."""
        _forget(self._flag)

    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        self.forget()
        super().before_start(task_id, args, kwargs)

    @property
    def _flag(self) -> str:
        return f"queued:{self.name}"


def _send(task: Task, args: tuple[Any, ...], countdown: float = 0) -> None:
    global _away_until
    if time.monotonic() < _away_until:
        logger.info("The broker was away a moment ago; %s is left to the sweep.", task.name)
        return
    if isinstance(task, QueuedOnce) and not task.announce():
        return
    try:
        task.apply_async(args=args, retry=False, countdown=countdown)
    except (OperationalError, OSError) as error:
        if isinstance(task, QueuedOnce):
            task.forget()
        _away_until = time.monotonic() + SECONDS_WITHOUT_BROKER
        logger.warning("The broker is away (%s); %s is left to the sweep.", error, task.name)
