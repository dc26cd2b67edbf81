"""The Celery application, and the one way in which this project queues a task.

Rows say what is left to do; a message only makes it happen sooner. So a message that can't be sent is a
line in the log, never an error on a player's page: the sweep finds the work.
"""

import logging
import os
import time
from functools import partial
from typing import Any

from celery import Celery
from celery.app.task import Task
from celery.exceptions import Ignore
from celery.signals import task_postrun, task_prerun, worker_init
from django.conf import settings
from django.core.cache import caches
from django.db import close_old_connections, transaction
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError
from kombu.transport import TRANSPORT_ALIASES

from carcassonne import garbage

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "carcassonne.settings")

# kombu takes no dotted class in a broker's URL, so our file broker gets a name of its own.
TRANSPORT_ALIASES["durable"] = "carcassonne.local.broker:Transport"
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "carcassonne.redis_broker:Transport"

logger = logging.getLogger(__name__)

DELIVERIES = 5
"""So often a message is given out once more whose task has begun and never ended."""
REMEMBERED_SECONDS = 24 * 60 * 60


class DiesAgain(Exception):
    """Whoever begins the task dies of it: killed for its memory, say, or by a fault in a library."""


class SiteTask(Task):
    """A task whose message is not given out for ever: one that kills each process that begins it is noted as
    failed, and its message dropped.

    Only messages that come again are counted, by the cache that tells of flags; a task that ends forgets the
    count. With the cache away nothing is counted, and nothing is dropped.
    """

    abstract = True

    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        """Count the message, if it comes again.

        :raises Ignore: it has come too often
        """
        if not self._comes_again:
            return
        try:
            begun = caches["flags"].get(_count(task_id), 0) + 1
            caches["flags"].set(_count(task_id), begun, REMEMBERED_SECONDS)
        except Exception as error:  # whatever ails the cache, tasks must be done
            logger.warning("The cache is away: %s", error)
            return
        if begun > DELIVERIES:
            self._give_up(task_id, args, kwargs)

    def after_return(
        self, status: str, retval: Any, task_id: str, args: Any, kwargs: Any, einfo: Any
    ) -> None:
        """Forget how often the message came: it has ended."""
        if self._comes_again:
            _forget(_count(task_id))

    @property
    def _comes_again(self) -> bool:
        return bool((self.request.delivery_info or {}).get("redelivered"))

    def _give_up(self, task_id: str, args: Any, kwargs: Any) -> None:
        from carcassonne import failures  # needs models

        died = DiesAgain(f"begun {DELIVERIES + 1} times and never ended")
        failures.note_failure(self, died, args, kwargs, task_id)
        _forget(_count(task_id))
        raise Ignore(str(died))


def _count(task_id: str) -> str:
    return f"deliveries:{task_id}"


def _forget(key: str) -> None:
    try:
        caches["flags"].delete(key)
    except Exception as error:
        logger.warning("The cache is away: %s", error)


app = Celery("carcassonne", task_cls=SiteTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(related_name="daily_tasks")


@worker_init.connect
def _begin_work(**kwargs: Any) -> None:
    garbage.look_seldom()  # before there are children, which then share what is loaded


@task_prerun.connect
@task_postrun.connect
def _give_back_connections(sender: Task, **kwargs: Any) -> None:
    """As around a request: the pool looks whether a connection is sound before it is used again."""
    if not sender.request.is_eager:
        close_old_connections()


# An unreachable Redis takes seconds to fail. After one failure this process leaves everything to the sweep
# for a while, so that not every player waits for it.
SECONDS_WITHOUT_BROKER = 30.0
_away_until = 0.0


def on_commit(name: str, *args: Any, countdown: float = 0) -> None:
    """Queue the task with this dotted *name* once the running transaction has committed; at once outside one.

    The name keeps services free of the tasks that call them. The arguments must survive JSON: pass keys of
    rows, not rows. A broker that is away raises nothing. *countdown*: seconds to wait before it is done.

    :raises ImportError: there is no such task
    :raises ValueError: it would wait so long that its message were taken for lost
    """
    if countdown > settings.LONGEST_COUNTDOWN:
        raise ValueError(
            f"{name} can't be queued {countdown:g} s ahead: {settings.LONGEST_COUNTDOWN} at most"
        )
    transaction.on_commit(partial(_send, import_string(name), args, countdown))


class QueuedOnce(SiteTask):
    """A task without arguments of which one message does for all: while one waits, ``on_commit`` adds none.

    A flag in the cache says that one waits. It goes when the task begins, before that looks at any row: so
    whoever found it up had committed what the task then sees. It may outlive its message, if that is lost;
    then it expires, and the sweep, which queues without asking, finds the work before. It may be lost itself,
    or the cache be away; then there is a message too many, which does no harm.
    """

    abstract = True

    def announce(self) -> bool:
        """Put the flag up. Answers whether a message must be sent, because the flag was not up yet."""
        try:
            return caches["flags"].add(self._flag, True, timeout=settings.TASK_SECONDS)
        except Exception as error:  # whatever ails the cache, a player's page must not fail for it
            logger.warning("The cache is away: %s", error)
            return True

    def forget(self) -> None:
        """Take the flag down."""
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
