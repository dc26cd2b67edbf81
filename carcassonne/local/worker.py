"""``python -m carcassonne.local.worker``: all that works behind the pages, and the beat, in one process.

For a machine at home: four workers, each with a child, and a beat take seven times the memory. Each queue has
a thread of its own all the same, and so waits for no other. Needs the broker in files.
"""

import logging
import os
import signal
import sys
import threading
import warnings
from typing import Any

from celery import bootsteps
from celery.beat import Service

from carcassonne.celery import app

logger = logging.getLogger(__name__)


class Beat(bootsteps.StartStopStep):
    """The beat as a thread of the worker. If it fails, the process ends, and is started again."""

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


def main() -> int:
    """Work until ``SIGTERM``; gives the exit code."""
    # Celery warns of root, who is the only user of many a container; a public site starts its own workers.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser")
    app.steps["worker"].add(Beat)
    app.conf.broker_transport_options = {**app.conf.broker_transport_options, "at_once": 1}
    worker = app.Worker(
        pool_cls="carcassonne.local.threads:TaskPool",
        prefetch_multiplier=0,  # the broker knows how much each queue may have at once
        loglevel=os.environ.get("LOG_LEVEL", "WARNING"),
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    code: int = worker.exitcode or 0
    return code


if __name__ == "__main__":
    sys.exit(main())
