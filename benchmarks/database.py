"""A database for one benchmark, gone afterwards; and the settings of all of them, so it is imported first.

It is a test database beside that which ``DATABASE_URL`` names, else in SQLite. What this process remembers of
games goes with it: the next database gives the same numbers to others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

django.setup()

from django.conf import settings
from django.core.cache import caches
from django.db import connection

from tests.games.factories import new_process


@contextmanager
def own_database() -> Iterator[None]:
    """Let all that is done inside happen in a new database, and what follows in the one there was before."""
    before = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0)
    _forget()
    try:
        yield
    finally:
        # Given any other name, the settings would go on to name a database that is gone.
        connection.creation.destroy_test_db(before, verbosity=0)
        _forget()


def copied(suffix: str, fill: Callable[[], None]) -> str:
    """The name of a copy of the database in use, filled by *fill*, for :func:`use`."""
    own = connection.settings_dict["NAME"]
    use(own)  # a database in use can't be copied
    connection.creation.clone_test_db(suffix=suffix, verbosity=0, autoclobber=True)
    name: str = connection.creation.get_test_db_clone_settings(suffix)["NAME"]
    use(name)
    fill()
    with connection.cursor() as cursor:
        # As PostgreSQL does by itself after a while
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    use(own)
    return name


def drop(suffix: str) -> None:
    """Delete the copy with this *suffix* of the database in use."""
    connection.creation.destroy_test_db(None, verbosity=0, suffix=suffix)


def use(name: str) -> None:
    """From now on ask the database of this *name*."""
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict["NAME"] = name


def _forget() -> None:
    """As in a process that has just started. In Redis nothing is thrown away: it may be that of a site."""
    new_process()
    for name in ("process", "pictures"):
        caches[name].clear()
    if not settings.REDIS_URL:
        caches["searches"].clear()
        caches["flags"].clear()
