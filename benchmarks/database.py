"""Temporary database for one benchmark, and the settings of all of them, so it is imported first.

It is a test database beside the one that ``DATABASE_URL`` names, else in SQLite. This process's caches of
games are cleared with it: the next database gives the same keys to other games.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
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
    """Use a new database inside the block, and the one before afterwards."""
    before = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0)
    _forget()
    try:
        yield
    finally:
        # Given any other name, the settings would go on to name a database that is gone.
        connection.creation.destroy_test_db(before, verbosity=0)
        _forget()


def _forget() -> None:
    """Clear all caches, as in a new process; but not those in Redis, which may belong to a site."""
    new_process()
    for name in ("process", "pictures"):
        caches[name].clear()
    if not settings.REDIS_URL:
        caches["searches"].clear()
        caches["flags"].clear()
