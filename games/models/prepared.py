"""Statements that PostgreSQL keeps prepared: read and planned once for each connection, then only answered.

What every page of a game asks, it takes PostgreSQL longer to plan than to answer. Django puts values into the
text of a statement, so that none is like another; here they are sent beside it. It is for statements that
are written out and look for few rows by key, whatever the values: not for lists, whose best plan may depend
on who asks.
"""

from __future__ import annotations

from django.db import connection
from django.db.backends.utils import CursorWrapper


def cursor() -> CursorWrapper:
    """As ``connection.cursor()``, and what it executes is prepared from the third time on; never where the
    setting ``DATABASE_PREPARES`` or the database has it otherwise."""
    found = connection.cursor()
    if connection.settings_dict["OPTIONS"].get("prepare_threshold") is not None:
        from django.db.backends.postgresql.base import ServerBindingCursor

        found.cursor = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]
    return found
