"""Tasks that a worker of a test knows besides the site's."""

import os
import signal
import time

from celery import shared_task


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
