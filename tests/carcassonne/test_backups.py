"""Tests that a site with games can be backed up, destroyed and restored."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile, which

import pytest
from django.conf import settings

ROOT = Path(__file__).parents[2]
GAMES = """
from django.utils import timezone
from tests.games.factories import heart_beats, make_game, make_table, play_turns
now = timezone.now()
heart_beats(now)
play_turns(make_game(now=now), 9, now=now)
play_turns(make_game(now=now), now=now)
make_table(now=now)
"""
COUNT = """
from games.models import Game, Move, Notice, Tile
print(*(model.objects.count() for model in (Game, Move, Notice, Tile)))
"""
DESTROY = """
from django.db import connection
from carcassonne import backups
with connection.cursor() as cursor:
    if connection.vendor == "postgresql":
        cursor.execute(backups.EMPTY)
    else:
        cursor.execute("DROP TABLE games_plan")
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.execute("DELETE FROM games_seat")
        cursor.execute("PRAGMA foreign_keys = ON")
"""
PLAY_ON = """
from games.models import Game
from tests.games.factories import play_turns
game = Game.objects.get(status="playing")
before = game.version
play_turns(game, 2)
game.refresh_from_db()
assert game.version > before
"""

Manage = Callable[..., subprocess.CompletedProcess[str]]


@contextmanager
def create_database(folder: Path, name: str, original: str = "") -> Iterator[str]:
    """Yield the URL of a database, new or a copy of that at the URL *original*; drop it afterwards."""
    if settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
        path = folder / f"{name}.sqlite3"
        if original:
            copyfile(original.removeprefix("sqlite:///"), path)
        yield f"sqlite:///{path}"
        return
    if which("pg_dump") is None:
        pytest.skip("pg_dump is not installed")
    import psycopg

    server, name = os.environ["DATABASE_URL"].rsplit("/", 1)[0], f"{name}_{os.getpid()}"
    template = f" TEMPLATE {original.rpartition('/')[2]}" if original else ""
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}{template}")
        try:
            yield f"{server}/{name}"
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def build_manage(database: str, data: Path) -> Manage:
    """Build a function that runs ``manage.py`` of a site on *database*; it reports commands that fail."""
    env = {**os.environ, "DATA_DIR": str(data), "DATABASE_URL": database, "REDIS_URL": ""}
    env |= {"DEBUG": "1", "ALLOWED_HOSTS": "localhost", "EMAIL_URL": "outbox:", "METRICS_TOKEN": ""}
    env |= {"SITE_URL": "http://localhost:8000", "LOG_LEVEL": "ERROR"}
    env.pop("DJANGO_SETTINGS_MODULE", None)

    def run(*args: str, fails: bool = False, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *args]
        done = subprocess.run(command, cwd=ROOT, env={**env, **more}, capture_output=True, text=True)
        assert bool(done.returncode) is fails, done.stdout + done.stderr
        return done

    return run


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a database with all tables, for copies: migrating takes seconds."""
    folder = tmp_path_factory.mktemp("migrated")
    with create_database(folder, "backup_original") as database:
        manage = build_manage(database, folder / "data")
        manage("migrate", "--verbosity", "0")
        manage("createcachetable")
        yield database


@pytest.fixture
def manage(migrated: str, tmp_path: Path) -> Iterator[Manage]:
    """``manage.py`` of a site on a database of this test's own."""
    with create_database(tmp_path, "backup_test", migrated) as database:
        yield build_manage(database, tmp_path / "data")


@pytest.fixture
def site(manage: Manage) -> Manage:
    """A site with games."""
    manage("shell", "--verbosity", "0", "--command", GAMES)
    return manage


@pytest.mark.slow
def test_a_site_that_is_destroyed_is_restored_and_plays_on(site: Manage, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    before = site("shell", "--verbosity", "0", "--command", COUNT).stdout
    site("backup", str(folder))
    (backup,) = (path for path in folder.iterdir() if path.suffix != ".sha256")
    assert {path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())} == {0}
    site("restore", "--check", str(backup))

    site("shell", "--verbosity", "0", "--command", DESTROY)
    if "sqlite3" in backup.name:
        assert "isn't empty" in site("restore", str(backup), fails=True).stderr
    site("restore", "--replace", str(backup))

    site("migrate", "--check")
    assert site("shell", "--verbosity", "0", "--command", COUNT).stdout == before
    assert "2 games" in site("verify_games").stdout
    site("shell", "--verbosity", "0", "--command", PLAY_ON)  # keys go on where they were
    site("verify_games")


@pytest.mark.slow
def test_what_is_not_whole_changes_nothing(site: Manage, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    site("backup", str(folder))
    before = site("shell", "--verbosity", "0", "--command", COUNT).stdout
    (backup,) = (path for path in folder.iterdir() if path.suffix != ".sha256")
    whole = backup.read_bytes()
    backup.write_bytes(whole[:-4096] + bytes(4096))
    assert "is not what" in site("restore", "--replace", str(backup), fails=True).stderr
    backup.write_bytes(whole[: len(whole) // 2])
    (folder / f"{backup.name}.sha256").unlink()
    assert site("restore", "--replace", str(backup), fails=True).stderr
    assert site("shell", "--verbosity", "0", "--command", COUNT).stdout == before


@pytest.mark.slow
def test_the_oldest_go_and_nothing_else(manage: Manage, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    for year in (2001, 2002, 2003):
        for ending in (".dump", ".dump.sha256"):
            (folder / f"carcassonne-{year}0101T000000Z{ending}").touch()
    assert "2 kept" in manage("backup", str(folder), "--keep", "2").stdout
    names = sorted(path.name for path in folder.iterdir())
    assert names[:2] == ["carcassonne-20030101T000000Z.dump", "carcassonne-20030101T000000Z.dump.sha256"]
    assert len(names) == 5 and "notes.txt" in names


SIGNED_IN = """
from datetime import timedelta
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.utils import timezone
from accounts.models import Player
player = Player.objects.create_user("Kimberly", "kimberly@example.org")
address = EmailAddress.objects.create(user=player, email=player.email)
EmailConfirmation.objects.create(email_address=address, created=timezone.now(), key="confirmation-key")
session = SessionStore()
session["code"] = "of-the-session"
session.create()
seen = {"ip": "192.0.2.77", "user_agent": "Agent-77", "last_seen_at": timezone.now()}
UserSession.objects.create(user=player, session_key=session.session_key, **seen)
cache.set("remembered", "in-the-cache")
print(session.session_key)
"""
LEFT = """
from django.db import connection
from accounts.models import Player
from carcassonne.backups import LEFT_OUT
print(Player.objects.get().username)
with connection.cursor() as cursor:
    for table in LEFT_OUT:
        cursor.execute(f"SELECT count(*) FROM {table}")
        print(table, cursor.fetchone()[0])
"""
RENAME = "from accounts.models import Player; Player.objects.update(username='Other', name_key='other')"
SECRETS = (b"192.0.2.77", b"Agent-77", b"confirmation-key", b"in-the-cache")


def readable(backup: Path) -> bytes:
    """The content of an unencrypted backup."""
    if backup.suffix == ".dump":
        script = subprocess.run(["pg_restore", "--file", "-", backup], capture_output=True, check=True)
        return script.stdout
    return backup.read_bytes()


def only_backup(folder: Path) -> Path:
    (backup,) = (path for path in folder.iterdir() if path.suffix != ".sha256")
    return backup


def told_of_left_out(manage: Manage) -> None:
    """Check that the account is there, and that the tables that are left out are empty."""
    name, *tables = manage("shell", "--verbosity", "0", "--command", LEFT).stdout.splitlines()
    assert name == "Kimberly" and len(tables) == 5
    assert {line.rpartition(" ")[2] for line in tables} == {"0"}


@pytest.fixture
def signed_in(manage: Manage) -> tuple[Manage, bytes]:
    """A site with one account, which is signed in, and the key of its session."""
    key = manage("shell", "--verbosity", "0", "--command", SIGNED_IN).stdout.strip()
    return manage, key.encode()


@pytest.mark.slow
def test_sessions_and_what_is_cached_are_left_out(signed_in: tuple[Manage, bytes], tmp_path: Path) -> None:
    site, key = signed_in
    site("backup", str(tmp_path / "backups"))
    backup = only_backup(tmp_path / "backups")
    stored = readable(backup)
    assert b"kimberly@example.org" in stored
    assert [secret for secret in (*SECRETS, key) if secret in stored] == []
    site("restore", "--replace", str(backup))
    told_of_left_out(site)


@pytest.mark.slow
@pytest.mark.parametrize("program", ["age", "gpg"])
def test_encrypted_backups_are_read_by_the_key_alone(
    signed_in: tuple[Manage, bytes], tmp_path: Path, program: str
) -> None:
    if which(program) is None:
        pytest.skip(f"{program} is not installed")
    site, _key = signed_in
    keys, folder, scratch = tmp_path / "keys", tmp_path / "backups", tmp_path / "scratch"
    for new in (keys, scratch):
        new.mkdir(mode=0o700)
    env = {"GNUPGHOME": str(keys), "TMPDIR": str(scratch)}
    read_with: tuple[str, ...] = ()
    if program == "age":
        made = subprocess.run(
            ["age-keygen", "--output", keys / "key"], capture_output=True, text=True, check=True
        )
        recipient, read_with = made.stderr.split()[-1], ("--identity", str(keys / "key"))
    else:
        recipient = "backups@example.org"
        command = [
            "gpg",
            "--batch",
            "--passphrase",
            "",
            "--quick-generate-key",
            recipient,
            "default",
            "default",
        ]
        subprocess.run(command, env={**os.environ, **env}, capture_output=True, check=True)
    site("backup", str(folder), BACKUP_RECIPIENTS=recipient, **env)
    backup = only_backup(folder)
    assert backup.suffix == f".{program}"
    assert b"kimberly" not in backup.read_bytes() and not list(scratch.iterdir())

    whole = backup.read_bytes()
    site("restore", "--check", str(backup), *read_with, **env)
    refused = site("restore", "--check", str(backup), fails=True, GNUPGHOME=str(scratch)).stderr
    assert ("--identity" if program == "age" else "gpg:") in refused
    site("shell", "--verbosity", "0", "--command", RENAME)
    Path(f"{backup}.sha256").rename(folder / "kept")
    backup.write_bytes(whole[:-100])
    assert "CommandError" in site("restore", "--replace", str(backup), *read_with, fails=True, **env).stderr
    backup.write_bytes(whole)
    site("restore", "--replace", str(backup), *read_with, **env)
    told_of_left_out(site)


@pytest.mark.slow
def test_a_backup_that_can_not_be_encrypted_is_not_made(manage: Manage, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    refused = manage("backup", str(folder), fails=True, BACKUP_RECIPIENTS="age1nobody").stderr
    assert "age" in refused and list(folder.iterdir()) == []
