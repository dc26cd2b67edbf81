"""Tests of the pool with a thread for each queue, and its time limits."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from billiard.einfo import ExceptionInfo
from celery.exceptions import SoftTimeLimitExceeded

from carcassonne.celery import app
from carcassonne.local import threads
from carcassonne.local.threads import TaskPool

HERE = Path(__file__).resolve().parents[3]


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[TaskPool]:
    monkeypatch.setattr(threads, "SECONDS_BETWEEN_LOOKS", 0.05)
    pool = TaskPool(4, app=app)
    pool.start()
    yield pool
    pool.stop()
    receive_exception()


class Received(Exception):
    pass


def receive_exception() -> None:
    """Let this thread receive an exception as the pool's do.

    One that was cancelled leaves a flag set in Python 3.11, with which whatever a profiler watches hangs
    (``count_calls``).
    """
    try:
        threads._raise_in(threading.get_ident(), Received)
        while True:
            time.sleep(0)
    except Received:
        pass


def run(pool: TaskPool, queue: str, what: Callable[[], Any], **options: Any) -> Any:
    """Run *what* as a task from *queue*."""

    def target(*args: Any) -> Any:
        return what()

    how = {"callback": lambda value: None, "accept_callback": lambda pid, at: None, **options}
    return pool.apply_async(
        target, ("games.tasks.score", "id", {"delivery_info": {"routing_key": queue}}), **how
    )


def test_queues_wait_for_no_other_but_each_for_itself(pool: TaskPool) -> None:
    held, order = threading.Event(), []
    slow = run(pool, "notices", lambda: (held.wait(10), order.append("mail")))
    second = run(pool, "notices", lambda: order.append("second mail"))
    for number in range(3):
        run(pool, "games", lambda number=number: order.append(number)).wait(5)
    assert order == [0, 1, 2]
    held.set()
    slow.wait(5)
    second.wait(5)
    assert order == [0, 1, 2, "mail", "second mail"]


def test_a_task_is_told_when_its_time_is_up_and_may_end_well(pool: TaskPool) -> None:
    ended: list[str] = []

    def endless() -> str:
        try:
            while True:
                time.sleep(0.01)
        except SoftTimeLimitExceeded:
            return "cleared up"

    run(pool, "bulk", endless, callback=ended.append, soft_timeout=0.2, timeout=30).wait(5)
    run(pool, "bulk", lambda: "next", callback=ended.append, soft_timeout=0.2).wait(5)
    assert ended == ["cleared up", "next"]


def test_a_time_limit_that_comes_a_moment_too_late_is_a_failure_and_no_task_without_end(
    pool: TaskPool,
) -> None:
    failed: list[ExceptionInfo] = []

    def too_late(value: object) -> None:
        raise SoftTimeLimitExceeded

    run(pool, "bulk", lambda: 1, callback=too_late, error_callback=failed.append).wait(5)
    assert isinstance(failed[0].exception.exc, SoftTimeLimitExceeded)


def test_what_does_not_listen_ends_with_the_process_once_it_counts_as_failed() -> None:
    code = """
import time
from carcassonne.celery import app
from carcassonne.local.threads import TaskPool

def deaf(*args):
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass

def timed_out(soft, timeout):
    print("failed", soft, timeout, flush=True)

pool = TaskPool(4, app=app)
pool.start()
request = {"delivery_info": {"routing_key": "bulk"}}
pool.apply_async(deaf, ("a", "b", request), callback=print, accept_callback=lambda pid, at: None,
                 timeout_callback=timed_out, soft_timeout=0.3, timeout=0.6)
time.sleep(30)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=HERE, capture_output=True, text=True, timeout=25)
    assert (done.stdout, done.returncode) == ("failed False 0.6\n", -9), done.stderr
