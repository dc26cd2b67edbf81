"""Tasks that a worker of a test knows besides the site's."""

import os
import signal
import time

from celery import shared_task
from django.conf import settings
from django.db import connection


@shared_task(name="tests.hang", ignore_result=True)
def hang(number: int) -> None:
    """Never end, whatever is said."""
    while True:
        try:
            time.sleep(60)
        except Exception:
            continue


@shared_task(name="tests.die", ignore_result=True)
def die(number: int) -> None:
    """Die as whoever is killed for the memory that it takes."""
    os.kill(os.getpid(), signal.SIGKILL)


@shared_task(name="tests.ask", ignore_result=True)
def ask() -> None:
    """Note which of PostgreSQL's processes answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [backend] = cursor.fetchone()
    with (settings.DATA_DIR / "backends").open("a") as file:
        file.write(f"{backend}\n")
