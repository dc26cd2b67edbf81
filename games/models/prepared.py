"""Statements that PostgreSQL keeps prepared: read and planned once for each connection, then only answered.

What every page of a game asks, it takes PostgreSQL longer to plan than to answer. Django puts values into the
text of a statement, so that none is like another; here they are sent beside it. It is for statements that
are written out and look for few rows by key, whatever the values: not for lists, whose best plan may depend
on who asks.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.utils import CursorWrapper


def cursor() -> CursorWrapper:
    """As ``connection.cursor()``, and what it executes is prepared from the third time on; never where the
    setting ``DATABASE_PREPARES`` or the database has it otherwise."""
    connection = connections[DEFAULT_DB_ALIAS]  # which ``django.db.connection`` looks up for each attribute
    found = connection.cursor()
    if connection.settings_dict["OPTIONS"].get("prepare_threshold") is not None:
        found.cursor = _cursor_class()(connection.connection)
    return found


@cache
def _cursor_class() -> Any:
    from django.db.backends.postgresql.base import ServerBindingCursor  # loads PostgreSQL's client library

    class PreparedCursor(ServerBindingCursor):
        """psycopg notes a statement only when it sends its text, and Django's log of queries asks for it."""

        def _send_query_prepared(self, name: bytes, pgq: Any, **how: Any) -> None:
            self._query = pgq
            super()._send_query_prepared(name, pgq, **how)  # type: ignore[misc]

    return PreparedCursor
