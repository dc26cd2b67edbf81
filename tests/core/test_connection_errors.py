"""Tests that a connection error is one line of the log, and that other errors keep their traceback."""

import logging

import kombu.exceptions
import psycopg
import psycopg.errors
import pytest
import redis.exceptions
from billiard.einfo import ExceptionWithTraceback
from billiard.exceptions import WorkerLostError
from celery.beat import SchedulingError
from django.conf import settings
from django.db import OperationalError
from psycopg_pool import PoolTimeout

from core.connection_errors import InOneLine


def by_django(cause: Exception) -> OperationalError:
    error = OperationalError(*cause.args)
    error.__cause__ = cause
    return error


def logged(error: BaseException) -> str:
    """The site's log line for *error*."""
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "It failed: %s", ("/g/",), None)
    try:
        raise error
    except BaseException as raised:
        record.exc_info = (type(raised), raised, raised.__traceback__)
    assert InOneLine().filter(record)
    return logging.Formatter("%(message)s").format(record)


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (by_django(psycopg.OperationalError("consuming input failed:\n\tserver closed")), "the database"),
        (by_django(psycopg.errors.AdminShutdown("terminating connection")), "the database"),
        (by_django(psycopg.errors.CannotConnectNow("is starting up")), "the database"),
        (by_django(PoolTimeout("couldn't get a connection after 10.00 sec")), "the database"),
        (by_django(psycopg.InterfaceError("the connection is closed")), "the database"),
        (redis.exceptions.ConnectionError("Connection closed by server."), "Redis"),
        (redis.exceptions.TimeoutError("Timeout reading from socket"), "Redis"),
        (kombu.exceptions.OperationalError("Error 111"), "the broker"),
        (WorkerLostError("Worker exited prematurely"), "a child of the worker"),
        (ExceptionWithTraceback(WorkerLostError("Worker exited prematurely"), "tb"), "a child of the worker"),
    ],
)
def test_what_is_away_is_said_in_one_line(error: BaseException, part: str) -> None:
    line = logged(error)
    assert line.startswith(f"It failed: /g/ ({part} is away: ")
    assert "\n" not in line


def test_beat_that_cannot_queue_a_task_says_so_in_one_line_without_its_stack() -> None:
    try:
        try:
            raise kombu.exceptions.OperationalError("Error 111")
        except kombu.exceptions.OperationalError:
            raise SchedulingError("Couldn't apply scheduled task sweep: Error 111")  # noqa: B904  so does beat
    except SchedulingError as error:
        told = (type(error), error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "Message Error: %s\n%s", ("a", ["b\n"]), told)
    assert InOneLine().filter(record)
    line = logging.Formatter("%(message)s").format(record)
    assert line == "Message Error: a (the broker is away: Couldn't apply scheduled task sweep: Error 111)"


@pytest.mark.parametrize(
    "error",
    [
        SchedulingError("of its own"),
        IndexError("pop from empty list"),
        by_django(psycopg.errors.DeadlockDetected("deadlock detected")),
        by_django(psycopg.errors.DiskFull("no space left")),
        by_django(psycopg.errors.UndefinedColumn("no such column")),
        OperationalError("database is locked"),
        redis.exceptions.ResponseError("WRONGTYPE"),
        OSError("No space left on device"),
    ],
)
def test_everything_else_keeps_its_traceback(error: BaseException) -> None:
    assert "Traceback (most recent call last)" in logged(error)


def test_the_site_logs_so() -> None:
    assert "in one line" in settings.LOGGING["handlers"]["console"]["filters"]
