"""Connection errors of database, Redis and broker: recognition, and logging as one line without a traceback.

The program isn't at fault then, and tracebacks would hide those that matter.
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
    """Filter that replaces the traceback of a connection error by the name of the part that is away.

    If the request was answered 503 the record becomes a warning. Suspicious requests get no traceback either.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, SuspiciousOperation):
            record.exc_info = record.exc_text = None  # anybody can cause any number of these errors
        part = find_missing_part(error)
        if part:
            message = " ".join(str(getattr(error, "exc", error)).split())
            first, *_stack = record.getMessage().split("\n")  # beat puts the whole stack into its message
            record.msg, record.args = f"{first} ({part} is away: {message})", ()
            record.exc_info = record.exc_text = None
            if getattr(record, "status_code", None) == HTTPStatus.SERVICE_UNAVAILABLE:
                record.levelno, record.levelname = logging.WARNING, "WARNING"  # Django has only errors
        return True


def find_missing_part(error: BaseException | None) -> str:
    """Return the part of the site that is away, if *error* is a connection error; else an empty string."""
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
