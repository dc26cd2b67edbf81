"""Backups of the database, the only data that a site must keep: creation, verification and restoring.

PostgreSQL's are archives of ``pg_dump``, SQLite's are databases, copied while the site runs. A backup gets
its name only once it is complete and has been read through; its SHA-256 lies beside it, for copies elsewhere.
With ``BACKUP_RECIPIENTS`` it is encrypted by ``age`` or ``gpg`` in a pipe: no plain text is ever written to
disk, nor when it is restored. Sessions and caches are left out.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient

NAME = "carcassonne-{at:%Y%m%dT%H%M%SZ}{ending}"
ENDINGS = {"postgresql": ".dump", "sqlite": ".sqlite3"}
OURS = re.compile(r"carcassonne-\d{8}T\d{6}Z\.(dump|sqlite3)(\.age|\.gpg)?")
CHECKSUM = ".sha256"

LEFT_OUT = (
    *("cache", "django_session", "usersessions_usersession", "games_pushsubscription"),
    "account_emailconfirmation",
)
"""Tables whose rows are left out of backups: the site works without them after everybody has signed in anew.
A stolen backup lets nobody into an account, and doesn't show where somebody signed in."""

CHUNK = 1 << 20

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
"""SQL that drops everything in the database but extensions and the schema, which may have another owner."""


class BackupFailed(Exception):
    """A backup could not be made, read or restored; then nothing has changed."""


def make(folder: Path, *, keep: int, now: datetime) -> Path:
    """Make a new backup in *folder*, and delete the oldest ones beyond *keep*.

    :raises BackupFailed: with the program's error message
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    encrypt = encryption()
    ending = ENDINGS[connection.vendor] + (f".{encrypt[0]}" if encrypt else "")
    backup = folder / NAME.format(at=now.astimezone(UTC), ending=ending)
    unfinished = Path(f"{backup}.unfinished")
    unfinished.touch(mode=0o600)
    try:
        with unfinished.open("wb") as written:
            if encrypt:
                with _running(*encrypt, into=written) as program:
                    assert program.stdin is not None
                    _dump(program.stdin)
            else:
                _dump(written)
            os.fsync(written.fileno())
        checksum = Path(f"{backup}{CHECKSUM}")
        checksum.touch(mode=0o600)
        checksum.write_text(f"{_sha256(unfinished)}  {backup.name}\n")
        if not encrypt:
            check(unfinished)
        unfinished.rename(backup)
    finally:
        unfinished.unlink(missing_ok=True)
    for old in sorted(list_backups(folder), reverse=True)[keep:]:
        old.unlink()
        Path(f"{old}{CHECKSUM}").unlink(missing_ok=True)
    return backup


def list_backups(folder: Path) -> list[Path]:
    """The backups in *folder*, the oldest first."""
    return sorted(path for path in folder.iterdir() if OURS.fullmatch(path.name))


def encryption() -> list[str]:
    """The command that encrypts for all of ``BACKUP_RECIPIENTS``; empty if there are none.

    Keys of ``age`` and of SSH are for age, all others are key names for gpg.
    """
    recipients = settings.BACKUP_RECIPIENTS
    if not recipients:
        return []
    if all(recipient.startswith(("age1", "ssh-")) for recipient in recipients):
        return [
            "age",
            "--encrypt",
            *(part for recipient in recipients for part in ("--recipient", recipient)),
        ]
    named = [part for recipient in recipients for part in ("--recipient", recipient)]
    return ["gpg", "--batch", "--quiet", "--trust-model", "always", *named, "--encrypt"]


def check(backup: Path, identity: Path | None = None) -> None:
    """Read all of *backup*, made of the same kind of database, with the key in *identity* if it is for age.

    :raises BackupFailed: it is incomplete, doesn't match its checksum, or is of another kind
    """
    checksum = Path(f"{backup}{CHECKSUM}")
    if checksum.exists() and checksum.read_text().split()[0] != _sha256(backup):
        raise BackupFailed(f"{backup} is not what {checksum.name} says.")
    with _open_backup(backup, identity) as read:
        if connection.vendor == "postgresql":
            with _running("pg_restore", "--file", os.devnull) as program:
                assert program.stdin is not None
                _copy(read, program.stdin)
        else:
            with closing(_database_in(read.read(), backup)):
                pass


def restore(backup: Path, identity: Path | None = None) -> None:
    """Restore the database from *backup*, or leave it unchanged if that fails.

    :raises BackupFailed: as :func:`check`, or the database reports an error
    """
    check(backup, identity)
    with _open_backup(backup, identity) as read:
        if connection.vendor == "postgresql":
            _restore_postgresql(read)
        else:
            # Through SQLite, which knows who reads and writes meanwhile, rather than as a file.
            connection.ensure_connection()
            with closing(_database_in(read.read(), backup)) as copy:
                copy.backup(connection.connection)


def is_empty() -> bool:
    """Return whether the database has no tables that a restored backup would replace."""
    return not connection.introspection.table_names()


def _dump(into: IO[bytes]) -> None:
    """Write the database into the stream, and verify it on the way."""
    if connection.vendor == "sqlite":
        into.write(_sqlite_copy())
        return
    left_out = [part for table in LEFT_OUT for part in ("--exclude-table-data", table)]
    command, env = _with_database("pg_dump", "--format", "custom", *left_out)
    with (
        _running("pg_restore", "--file", os.devnull) as reader,
        _running(*command, env=env, reads=False) as dump,
    ):
        assert reader.stdin is not None and dump.stdout is not None
        _copy(dump.stdout, into, reader.stdin)


def _sqlite_copy() -> bytes:
    """The database file as bytes, without the tables' rows that are left out; held in memory as a whole."""
    connection.ensure_connection()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        connection.connection.backup(copy)
        there = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in LEFT_OUT:
            if table in there:
                copy.execute(f'DELETE FROM "{table}"')
        copy.execute("VACUUM")  # deleted rows are still in the file
        return copy.serialize()


def _database_in(data: bytes, backup: Path) -> sqlite3.Connection:
    """Load the database file *data*. :raises BackupFailed: it is incomplete, or not this site's"""
    copy = sqlite3.connect(":memory:")
    try:
        # One that a release before copied from a file says that others read it, which needs a file.
        copy.deserialize(data[:18] + b"\1\1" + data[20:])
        said = copy.execute("PRAGMA integrity_check").fetchone()[0]
        copy.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except sqlite3.Error as error:
        copy.close()
        raise BackupFailed(f"{backup}: {error}") from error
    if said != "ok":
        copy.close()
        raise BackupFailed(f"{backup}: {said}")
    return copy


def _restore_postgresql(read: IO[bytes]) -> None:
    """Restore in one transaction: other connections wait, and a failure changes nothing."""
    options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1")
    command, env = _with_database("psql", *options, "--output", os.devnull, "--command", EMPTY, "--file", "-")
    with _running(*command, env=env) as psql:
        # An error here ends psql before it has read the end, which is what commits.
        assert psql.stdin is not None
        script = ("pg_restore", "--no-owner", "--no-privileges", "--file", "-")
        with _running(*script, into=psql.stdin) as program:
            assert program.stdin is not None
            _copy(read, program.stdin)


@contextmanager
def _open_backup(backup: Path, identity: Path | None) -> Iterator[IO[bytes]]:
    """Open *backup* for reading, decrypted if it is encrypted."""
    with backup.open("rb") as file:
        commands = {
            ".age": ["age", "--decrypt", *(["--identity", str(identity)] if identity else [])],
            ".gpg": ["gpg", "--batch", "--quiet", "--decrypt"],
        }
        command = commands.get(backup.suffix)
        if command is None:
            yield file
            return
        if backup.suffix == ".age" and identity is None:
            raise BackupFailed(f"{backup} is encrypted: say with --identity where the key is.")
        with _running(*command, stdin=file, reads=False) as program:
            assert program.stdout is not None
            yield program.stdout


@contextmanager
def _running(
    *command: str,
    env: dict[str, str] | None = None,
    stdin: IO[bytes] | None = None,
    into: IO[bytes] | None = None,
    reads: bool = True,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program. If it *reads* it gets a pipe as ``stdin`` and writes *into* a file; otherwise it gets
    the file *stdin* and its ``stdout`` is a pipe. It must exit with 0.

    If anything fails meanwhile it is killed before it sees the end of its input.

    :raises BackupFailed: with its error output
    """
    program = command[0]
    with tempfile.TemporaryFile() as errors:
        try:
            running = subprocess.Popen(
                command,
                env=env,
                stdin=subprocess.PIPE if reads else stdin or subprocess.DEVNULL,
                stdout=into or (subprocess.DEVNULL if reads else subprocess.PIPE),
                stderr=errors,
            )
        except FileNotFoundError as error:
            raise BackupFailed(f"{program} is not installed (Debian: {_package(program)}).") from error
        try:
            yield running
            if running.stdin is not None:
                running.stdin.close()
            if running.stdout is not None and running.stdout.read(1):
                raise BackupFailed(f"{program} says more than was read.")
        except (BrokenPipeError, BackupFailed) as error:
            # The first program that broke says why: this one, if it has ended badly by itself.
            if _code_of(running) is None or (running.returncode == 0 and isinstance(error, BackupFailed)):
                running.kill()
                raise
        except BaseException:
            running.kill()
            raise
        finally:
            code = running.wait()
            for pipe in (running.stdin, running.stdout):
                if pipe is not None:
                    with suppress(BrokenPipeError):
                        pipe.close()
        if code:
            errors.seek(0)
            said = errors.read(2000).decode(errors="replace").strip()
            raise BackupFailed(f"{program}: {said or f'ended with {code}'}")


def _code_of(running: subprocess.Popen[bytes]) -> int | None:
    """The exit code of *running* if it ends by itself within two seconds, else ``None``."""
    try:
        return running.wait(timeout=2)
    except subprocess.TimeoutExpired:
        return None


def _package(program: str) -> str:
    return {"age": "age", "gpg": "gpg"}.get(program, "postgresql-client")


def _copy(read: IO[bytes], *into: IO[bytes]) -> None:
    while chunk := read.read(CHUNK):
        for file in into:
            file.write(chunk)


def _with_database(program: str, *options: str) -> tuple[list[str], dict[str, str]]:
    """The command line of a PostgreSQL program for the site's database, and its environment with the
    password, which must not appear in a list of processes."""
    given, env = DatabaseClient.settings_to_cmd_args_env(_without_pool(), [])
    return [program, *given[1:], *options], {**os.environ, **(env or {})}


def _without_pool() -> dict[str, object]:
    options = {name: value for name, value in connection.settings_dict["OPTIONS"].items() if name != "pool"}
    return {**connection.settings_dict, "OPTIONS": options}


def _sha256(file: Path) -> str:
    with file.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()
