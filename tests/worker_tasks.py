"""Additional tasks of workers that tests start."""

import os
import signal
import time

from celery import shared_task
from django.conf import settings
from django.db import connection


@shared_task(name="tests.hang", ignore_result=True)
def hang(number: int) -> None:
    """Run for ever, ignoring exceptions."""
    while True:
        try:
            time.sleep(60)
        except Exception:
            continue


@shared_task(name="tests.die", ignore_result=True)
def die(number: int) -> None:
    """Kill the process, as when it runs out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


@shared_task(name="tests.ask", ignore_result=True)
def ask() -> None:
    """Record the process id of PostgreSQL's backend."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [backend] = cursor.fetchone()
    with (settings.DATA_DIR / "backends").open("a") as file:
        file.write(f"{backend}\n")
