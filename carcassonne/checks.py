"""System checks: of the database, which ``migrate`` and ``serve`` run, and of time zones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from core.time_zones import uses_pinned_data


@register(Tags.database)
def check_first_release(databases: Sequence[str] | None = None, **options: Any) -> list[CheckMessage]:
    """Refuse a database whose migrations were replaced before the first release.

    ``migrate`` would only say that the history is inconsistent, or miss tables later. Every migration since
    then depends on ``core.0001_initial``, so a database that is newer than this code passes, and a site can
    be downgraded.
    """
    for alias in databases or []:
        connection = connections[alias]
        applied = MigrationRecorder(connection).applied_migrations()
        if ("accounts", "0001_initial") in applied and ("core", "0001_initial") not in applied:
            away = (
                f"Move {settings.DATA_DIR} away"
                if connection.vendor == "sqlite"
                else "Name a new database in DATABASE_URL"
            )
            return [
                Error(
                    "This database was made before the first release and cannot be carried over. "
                    f"{away} and start again.",
                    id="carcassonne.E001",
                )
            ]
    return []


@register()
def check_time_zones(**options: Any) -> list[CheckMessage]:
    """Refuse time zones from the system: deadlines would differ between machines."""
    if uses_pinned_data():
        return []
    return [
        Error(
            "Time zones come from the system's data, not from the pinned package tzdata.",
            hint="Something has called zoneinfo.reset_tzpath() after core.time_zones.use_pinned_data().",
            id="carcassonne.E002",
        )
    ]
