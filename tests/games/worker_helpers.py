"""Celery workers in processes of their own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.db import connection

from carcassonne.celery import app
from tests.games.factories import new_process

ROOT = Path(__file__).resolve().parents[2]
LOG = "worker.log"
TASK_SECONDS = 5  # and so a claim ends after 10


def build_database_url() -> str:
    """The URL of this test run's database."""
    rows = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{rows['NAME']}"
    login = f"{rows['USER']}:{rows['PASSWORD']}" if rows["PASSWORD"] else rows["USER"]
    return f"postgres://{login}@{rows['HOST']}:{rows['PORT']}/{rows['NAME']}"


def build_environment(port: int) -> dict[str, str]:
    """The environment of a process with the database and the broker of this test run, and a mail server at
    *port*."""
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.worker_settings",
        "DATABASE_URL": build_database_url(),
        "DATA_DIR": str(site.DATA_DIR),
        "EMAIL_URL": f"smtp://127.0.0.1:{port}",
        "TEST_KEY_PREFIX": str(site.CELERY_BROKER_TRANSPORT_OPTIONS.get("global_keyprefix", "")),
    }


class Worker:
    """A Celery worker with one child, in a process group of its own."""

    def __init__(
        self,
        port: int,
        folder: Path,
        *options: str,
        task_seconds: int = TASK_SECONDS,
        sweep_seconds: int = 1,
        of_all_queues: bool = False,
    ) -> None:
        environment = build_environment(port) | {
            "TASK_SECONDS": str(task_seconds),
            "SWEEP_SECONDS": str(sweep_seconds),
        }
        command = [sys.executable, "-m", "celery", "-A", "carcassonne", "worker", "-c", "1", "-l", "INFO"]
        command += ["--without-gossip", "--without-mingle", "--without-heartbeat", *options]
        if of_all_queues:  # as ``make run`` starts it
            (site.DATA_DIR / "beat").mkdir(exist_ok=True)
            command = [sys.executable, "-m", "carcassonne.local.worker"]
        elif "-B" in options:
            command += ["-s", str(folder / "schedule")]
        with (folder / LOG).open("ab") as output:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill the worker and its child with SIGKILL."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Start workers, and kill those that the test left running."""
    workers: list[Worker] = []
    (tmp_path / LOG).touch()

    def start(port: int, *options: str, **settings: int) -> Worker:
        workers.append(Worker(port, tmp_path, *options, **settings))
        return workers[-1]

    with app.connection_or_acquire() as broker:
        purge_queues(broker)
    yield start
    for worker in workers:
        if worker.process.poll() is None:
            worker.kill()
    new_process()
    print((tmp_path / LOG).read_text()[-4000:])


def purge_queues(broker: Any) -> None:
    """Delete every waiting message."""
    for name in site.CELERY_TASK_QUEUES:
        app.amqp.queues[name](broker.default_channel).declare()
        broker.default_channel.queue_purge(name)


def wait_until(what: Callable[[], bool], seconds: float = 90) -> None:
    """Wait until *what* returns true."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)
