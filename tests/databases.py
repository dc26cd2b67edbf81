"""Databases of the tests: migrated once in a run, copied for each worker of pytest-xdist, emptied quickly."""

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection


def _lock_path(run: str) -> Path:
    return Path(tempfile.gettempdir()) / f"carcassonne-tests-{run}.lock"


@contextmanager
def copy_migrated_database(run: str, worker: str) -> Iterator[None]:
    """Give this *worker* a copy of the database that the first worker of this *run* has migrated.

    Django makes the copies (``clone_test_db``): of a template on PostgreSQL, of the file on SQLite. The lock
    is held until the copy is made: a template on PostgreSQL may have no other connection.
    """
    creation = connection.creation
    before = connection.settings_dict["NAME"]
    name_template(run)
    with _lock_path(run).open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if not lock.read():
            creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
            lock.write("migrated")
            lock.flush()
        use_database(creation._get_test_db_name())
        creation.clone_test_db(suffix=worker, verbosity=0)
    use_database(creation.get_test_db_clone_settings(worker)["NAME"])
    yield
    creation.destroy_test_db(before, verbosity=0)


def use_database(name: str) -> None:
    connection.close()
    if hasattr(connection, "close_pool"):
        connection.close_pool()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name


def name_template(run: str) -> None:
    """Name the database that is copied after this *run*: one of a run beside it must not be taken for it."""
    test = connection.settings_dict["TEST"]
    if connection.vendor == "sqlite":
        test["NAME"] = str(_lock_path(run).with_suffix(".sqlite3"))
    else:
        test["NAME"] = f"test_{connection.settings_dict['NAME']}_{run[:8]}"


def drop_migrated_database(run: str) -> None:
    """Drop what was copied, after all workers of this *run* have ended."""
    lock = _lock_path(run)
    if lock.exists():
        name_template(run)
        creation = connection.creation
        creation._destroy_test_db(creation._get_test_db_name(), verbosity=0)
        lock.unlink()


def empty_tables_by_delete() -> None:
    """Let what empties PostgreSQL's tables after a test with transactions delete their rows.

    ``TRUNCATE`` makes new files for each of a hundred tables and takes a second; this takes a twentieth.
    Triggers that keep rows from being deleted are passed over, which a superuser may.
    """
    if connection.vendor != "postgresql" or not is_superuser():
        return
    operations = connection.ops
    truncate = operations.sql_flush

    def sql_flush(style: Any, tables: list[str], *, reset_sequences: bool = False, **how: Any) -> list[str]:
        if reset_sequences:
            return truncate(style, tables, reset_sequences=True, **how)
        deletes = [f"DELETE FROM {operations.quote_name(table)}" for table in tables]
        return ["SET LOCAL session_replication_role = replica", *deletes]

    operations.sql_flush = sql_flush


def is_superuser() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SHOW is_superuser")
        return bool(cursor.fetchone()[0] == "on")
