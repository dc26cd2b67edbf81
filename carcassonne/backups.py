"""Backups of the database, which is all that a site must keep: made, checked, and put back.

PostgreSQL's are archives of ``pg_dump``, SQLite's are databases, copied while the site goes on. A backup has
its name only once it is whole and has been read through; beside it lies its SHA-256, for copies elsewhere.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient

NAME = "carcassonne-{at:%Y%m%dT%H%M%SZ}{ending}"
ENDINGS = {"postgresql": ".dump", "sqlite": ".sqlite3"}
OURS = re.compile(r"carcassonne-\d{8}T\d{6}Z\.(dump|sqlite3)")
CHECKSUM = ".sha256"

EMPTY = """
DO $$
DECLARE one record;
BEGIN
    FOR one IN SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname = 'public'
    LOOP EXECUTE 'DROP TABLE ' || one.name || ' CASCADE'; END LOOP;
    FOR one IN SELECT oid::regprocedure AS name FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    LOOP EXECUTE 'DROP ROUTINE ' || one.name || ' CASCADE'; END LOOP;
END $$;
"""
"""Takes all out of the database, but leaves the schema, which may be somebody else's, and its extensions."""


class BackupFailed(Exception):
    """It could not be made, is not whole, or could not be put back; then nothing has changed."""


def make(folder: Path, *, keep: int, now: datetime) -> Path:
    """A new backup in *folder*; the oldest beyond *keep* go.

    :raises BackupFailed: naming what said what
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    backup = folder / NAME.format(at=now.astimezone(UTC), ending=ENDINGS[connection.vendor])
    unfinished = backup.with_suffix(".unfinished")
    unfinished.touch(mode=0o600)
    try:
        _dump(unfinished)
        check(unfinished)
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        checksum = Path(f"{backup}{CHECKSUM}")
        checksum.touch(mode=0o600)
        checksum.write_text(f"{_sha256(unfinished)}  {backup.name}\n")
        unfinished.rename(backup)
    finally:
        unfinished.unlink(missing_ok=True)
    for old in sorted(made(folder), reverse=True)[keep:]:
        old.unlink()
        Path(f"{old}{CHECKSUM}").unlink(missing_ok=True)
    return backup


def made(folder: Path) -> list[Path]:
    """The backups in *folder*, the oldest first."""
    return sorted(path for path in folder.iterdir() if OURS.fullmatch(path.name))


def check(backup: Path) -> None:
    """Read all of *backup*, whose kind is that of the database.

    :raises BackupFailed: it is not whole, not what its checksum says, or of another kind
    """
    checksum = Path(f"{backup}{CHECKSUM}")
    if checksum.exists() and checksum.read_text().split()[0] != _sha256(backup):
        raise BackupFailed(f"{backup} is not what {checksum.name} says.")
    if connection.vendor == "postgresql":
        _run("pg_restore", "--file", os.devnull, str(backup))
        return
    try:
        with closing(sqlite3.connect(f"{backup.resolve().as_uri()}?mode=ro", uri=True)) as copy:
            said = copy.execute("PRAGMA integrity_check").fetchone()[0]
            copy.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except sqlite3.Error as error:
        raise BackupFailed(f"{backup}: {error}") from error
    if said != "ok":
        raise BackupFailed(f"{backup}: {said}")


def restore(backup: Path) -> None:
    """Let the database be what it was when *backup* was made, or leave it as it is if that fails.

    :raises BackupFailed: the same as :func:`check`, and whatever the database says
    """
    check(backup)
    if connection.vendor == "postgresql":
        _restore_postgresql(backup)
    else:
        _restore_sqlite(backup)


def is_empty() -> bool:
    """Whether there is nothing that a restored backup would replace."""
    return not connection.introspection.table_names()


def _dump(file: Path) -> None:
    if connection.vendor == "postgresql":
        # What is cached is worked out again, and would be stale where it is restored.
        _run("pg_dump", "--format", "custom", "--exclude-table-data", "cache", "--file", str(file))
        return
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without those that WAL puts beside it


def _restore_postgresql(backup: Path) -> None:
    """In one transaction: whoever asks meanwhile waits, and a failure changes nothing."""
    script = backup.with_suffix(".sql.unfinished")
    script.touch(mode=0o600)
    try:
        _run("pg_restore", "--no-owner", "--no-privileges", "--file", str(script), str(backup))
        options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1")
        _run("psql", *options, "--output", os.devnull, "--command", EMPTY, "--file", str(script))
    finally:
        script.unlink()


def _restore_sqlite(backup: Path) -> None:
    """Through SQLite, which knows who reads and writes meanwhile, rather than as a file."""
    connection.ensure_connection()
    with closing(sqlite3.connect(backup)) as copy:
        copy.backup(connection.connection)


def _run(program: str, *options: str) -> None:
    """Run a program of PostgreSQL's against the site's database, of which no password is seen in any list."""
    args: Sequence[str] = [program, *options]
    told = dict(os.environ)
    if program != "pg_restore":  # which only reads the file
        settings, env = DatabaseClient.settings_to_cmd_args_env(_without_pool(), [])
        args = [program, *settings[1:], *options]
        told |= env or {}
    try:
        done = subprocess.run(args, env=told, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise BackupFailed(f"{program} is not installed (Debian: postgresql-client).") from error
    if done.returncode:
        raise BackupFailed(f"{program}: {done.stderr.strip()}")


def _without_pool() -> dict[str, object]:
    options = {name: value for name, value in connection.settings_dict["OPTIONS"].items() if name != "pool"}
    return {**connection.settings_dict, "OPTIONS": options}


def _sha256(file: Path) -> str:
    with file.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()
