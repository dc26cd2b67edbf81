"""``python -m carcassonne.local.worker``: workers of all queues, beat and mail receiver in one process.

For a machine at home: five workers, each with a child, and a beat need seven times the memory. Each queue
still has a thread of its own, so none waits for another. Needs the broker in files.
"""

import asyncio
import logging
import os
import signal
import sys
import threading
import warnings
from typing import Any

from celery import bootsteps
from celery.beat import Service
from django.conf import settings

from carcassonne.celery import app

logger = logging.getLogger(__name__)


class Beat(bootsteps.StartStopStep):
    """Step that runs the beat in a thread of the worker. If it fails, the process exits, and is restarted."""

    label = "Beat"

    def create(self, worker: Any) -> None:
        # It looks every second whether it shall stop.
        self.service = Service(worker.app, max_interval=1, remote_control=False)  # type: ignore[call-arg]

    def start(self, worker: Any) -> None:
        threading.Thread(target=self._tick, name="beat", daemon=True).start()

    def stop(self, worker: Any) -> None:
        self.service.stop()

    def _tick(self) -> None:
        try:
            self.service.start()
        except Exception:
            logger.exception("The beat has failed")
            os.kill(os.getpid(), signal.SIGTERM)


class MailReceiverStep(bootsteps.StartStopStep):
    """Step that runs the mail receiver in a thread: another process would double the memory."""

    label = "Receiver of mail"

    def start(self, worker: Any) -> None:
        threading.Thread(target=self._receive, name="receiver", daemon=True).start()

    def _receive(self) -> None:
        from games.mail_in.smtp import receive  # needs models, which are there once there is a worker

        try:
            # The page of kept mails speaks SMTP; the mail server before a public site, LMTP.
            asyncio.run(
                receive(settings.RECEIVE_MAIL_HOST, settings.RECEIVE_MAIL_PORT, lmtp=not settings.DEBUG)
            )
        except OSError as error:
            logger.error("No mail can be received: %s", error)


def count_lost_attempts() -> None:
    """Count all noted attempts as lost: the process that began them has ended, and the messages are gone."""
    from core import attempts  # needs models, which are there once there is a worker
    from core.models import TaskAttempt

    with attempts.ignore_database_errors():
        for message in set(TaskAttempt.objects.values_list("message", flat=True)):
            attempts.lose(message, "")


def main() -> int:
    """Work until ``SIGTERM``; return the exit code."""
    # Celery warns of root, who is the only user of many a container; a public site starts its own workers.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser")
    app.steps["worker"].add(Beat)
    if settings.REPLY_DOMAIN:
        app.steps["worker"].add(MailReceiverStep)
    worker = app.Worker(
        pool_cls="carcassonne.local.threads:TaskPool",
        prefetch_multiplier=0,  # no queue waits for another's messages to be done
        loglevel=os.environ.get("LOG_LEVEL", "WARNING"),
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    count_lost_attempts()
    worker.start()
    code: int = worker.exitcode or 0
    return code


if __name__ == "__main__":
    sys.exit(main())
