"""Answers for when something breaks. While a part is away that pages need, that is no fault of the program:
503, and when to come again, in the look of the site but without asking anybody.

Such a request may be sent again: a transaction that was not committed has changed nothing, and of a turn
that was the repeat is known (``play.turns.is_repeat``).
"""

from __future__ import annotations

import sqlite3
import sys

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error
from psycopg_pool import PoolTimeout

from carcassonne.connection_errors import find_missing_part

RETRY_AFTER = 10
"""Seconds after which clients should try again; a restart of the database takes about as long."""
SHORT_WAIT = 1.0
"""Seconds to wait for a connection after a first wait in vain; longer waits would block all threads."""

BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
EXTENDED = 8  # bits, above which SQLite says more precisely what is wrong


def respond_to_error(request: HttpRequest) -> HttpResponse:
    """The answer to an exception that nobody has caught (``handler500``): 503 if it says that a part is away
    or the database locked, else 500. Who prefers JSON gets that."""
    error = sys.exception()
    if not (find_missing_part(error) or is_database_locked(error)):
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
    """Return whether *error* says that SQLite was being written to for longer than anybody waits."""
    cause = error.__cause__ if isinstance(error, DatabaseError) else None
    if not isinstance(cause, sqlite3.OperationalError):
        return False
    return getattr(cause, "sqlite_errorcode", 0) & (1 << EXTENDED) - 1 in BUSY


def wait_less(error: BaseException | None) -> None:
    """If *error* says that no connection was to be had in time, let this process's next requests learn it
    sooner, until there is one again."""
    if isinstance(error, DatabaseError) and isinstance(error.__cause__, PoolTimeout):
        connection.pool.timeout = SHORT_WAIT  # type: ignore[attr-defined]  # only PostgreSQL has a pool


@receiver(connection_created)
def wait_as_set(connection: BaseDatabaseWrapper, **more: object) -> None:
    pool = getattr(connection, "pool", None)
    if pool is not None:
        pool.timeout = settings.DATABASES[connection.alias]["OPTIONS"]["pool"]["timeout"]
