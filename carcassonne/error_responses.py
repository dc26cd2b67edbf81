"""Responses to uncaught exceptions: 503 with ``Retry-After`` while the database, Redis or the broker is away
or the disk is full, else 500. The pages need no query.

A failed request may be repeated: a transaction that was not committed has changed nothing, and a repeated
turn is recognised (``play.turns.is_repeat``).
"""

from __future__ import annotations

import errno
import sqlite3
import sys
from http import HTTPStatus

import psycopg
import redis.exceptions
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error
from psycopg_pool import PoolTimeout

from core.connection_errors import find_missing_part
from core.lost_choices import LostChoice

RETRY_AFTER = 10
"""Seconds after which clients should try again; a restart of the database takes about as long."""
SHORT_WAIT = 1.0
"""Seconds to wait for a connection after a first wait in vain; longer waits would block all threads."""

BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
OUT_OF_RESOURCES = "53"
"""Class of SQLSTATE: PostgreSQL has no room on its disk, no memory, or no connection left."""
REDIS_FULL = ("OOM", "MISCONF")
"""First words of Redis, if its memory is full, or the disk on which it saves."""
EXTENDED = 8  # bits, above which SQLite says more precisely what is wrong


def respond_to_error(request: HttpRequest) -> HttpResponse:
    """Handle an uncaught exception (``handler500``): 503 if a part is away, the database locked or the
    disk full, 410 for
    what rests on a lost choice, else 500. With JSON if the client prefers that."""
    error = sys.exception()
    if isinstance(error, LostChoice):
        return HttpResponse(render_to_string("lost_choice.html"), status=HTTPStatus.GONE)
    if not (find_missing_part(error) or is_database_locked(error) or is_disk_full(error)):
        return server_error(request)
    wait_less(error)
    response: HttpResponse
    if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
        response = JsonResponse({"error": "unavailable", "retry_after": RETRY_AFTER}, status=503)
    else:
        # Without the request, so that no context processor asks who it is.
        page = render_to_string("503.html", {"again": request.method in ("GET", "HEAD")})
        response = HttpResponse(page, status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


def is_database_locked(error: BaseException | None) -> bool:
    """Return whether *error* says that SQLite was locked for longer than its timeout."""
    cause = error.__cause__ if isinstance(error, DatabaseError) else None
    if not isinstance(cause, sqlite3.OperationalError):
        return False
    return getattr(cause, "sqlite_errorcode", 0) & (1 << EXTENDED) - 1 in BUSY


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether *error* says that there is no room for what should be written, here or at a server."""
    cause = error.__cause__ if isinstance(error, DatabaseError) else error
    if isinstance(cause, sqlite3.OperationalError):
        code = getattr(cause, "sqlite_errorcode", 0)
        return code in FULL or code & (1 << EXTENDED) - 1 in FULL
    if isinstance(cause, psycopg.Error):
        return (cause.sqlstate or "").startswith(OUT_OF_RESOURCES)
    if isinstance(cause, redis.exceptions.ResponseError):
        return isinstance(cause, redis.exceptions.OutOfMemoryError) or str(cause).startswith(REDIS_FULL)
    return isinstance(cause, OSError) and cause.errno in NO_ROOM


def wait_less(error: BaseException | None) -> None:
    """Shorten the pool's timeout for this process if *error* is such a timeout, until a connection
    succeeds."""
    if isinstance(error, DatabaseError) and isinstance(error.__cause__, PoolTimeout):
        connection.pool.timeout = SHORT_WAIT  # type: ignore[attr-defined]  # only PostgreSQL has a pool


@receiver(connection_created)
def wait_as_set(connection: BaseDatabaseWrapper, **more: object) -> None:
    pool = getattr(connection, "pool", None)
    if pool is not None:
        pool.timeout = settings.DATABASES[connection.alias]["OPTIONS"]["pool"]["timeout"]
