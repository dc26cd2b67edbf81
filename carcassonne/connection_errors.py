"""Connection errors, which the log tells in one line. A traceback tells where the program is wrong, and here
it isn't; whoever reads logs must find those that matter.
"""

from __future__ import annotations

import logging
from http import HTTPStatus

import kombu.exceptions
import psycopg
import redis.exceptions
from billiard.einfo import ExceptionWithTraceback  # type: ignore[attr-defined]  # not in the stubs
from billiard.exceptions import WorkerLostError
from celery.beat import SchedulingError
from django.core.exceptions import SuspiciousOperation
from django.db import InterfaceError, OperationalError

GONE = ("08", "57P")
"""Prefixes of the SQLSTATE of lost connections to PostgreSQL: class 08, and the end by an administrator, a
crash or a start that allows none (57P01 to 57P03)."""


class InOneLine(logging.Filter):
    """Takes the traceback from a record whose cause is that a part is away, and says which instead. A request
    that was told so (``unavailable``) is a warning, no error. Nor do requests that are refused leave one."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, SuspiciousOperation):
            record.exc_info = record.exc_text = None  # anybody can cause any number of these errors
        part = find_missing_part(error)
        if part:
            told = " ".join(str(getattr(error, "exc", error)).split())
            first, *_stack = record.getMessage().split("\n")  # beat puts the whole stack into its message
            record.msg, record.args = f"{first} ({part} is away: {told})", ()
            record.exc_info = record.exc_text = None
            if getattr(record, "status_code", None) == HTTPStatus.SERVICE_UNAVAILABLE:
                record.levelno, record.levelname = logging.WARNING, "WARNING"  # Django has only errors
        return True


def find_missing_part(error: BaseException | None) -> str:
    """Return which part is away, if *error* says that one is; else nothing."""
    if isinstance(error, ExceptionWithTraceback):  # so it comes from another process
        error = error.exc
    if isinstance(error, SchedulingError):
        error = error.__context__  # error that kept beat from queueing the task
    if isinstance(error, OperationalError | InterfaceError):
        error = error.__cause__
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        state = error.sqlstate  # none if the server couldn't be reached
        return "the database" if state is None or state.startswith(GONE) else ""
    if isinstance(error, redis.exceptions.ConnectionError | redis.exceptions.TimeoutError):
        return "Redis"
    if isinstance(error, kombu.exceptions.OperationalError):
        return "the broker"
    return "a child of the worker" if isinstance(error, WorkerLostError) else ""
