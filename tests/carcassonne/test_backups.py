"""A site with games is backed up, destroyed and restored, and plays on."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which

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


@pytest.fixture
def database(tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of this test's own, where the tests run."""
    if settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
        yield f"sqlite:///{tmp_path / 'site.sqlite3'}"
        return
    if which("pg_dump") is None:
        pytest.skip("pg_dump is not installed")
    import psycopg

    server, name = os.environ["DATABASE_URL"].rsplit("/", 1)[0], f"backup_test_{os.getpid()}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{server}/{name}"
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def manage(database: str, tmp_path: Path) -> Manage:
    """``manage.py`` of a site on that database; a command that fails is told of."""
    env = {**os.environ, "DATA_DIR": str(tmp_path / "data"), "DATABASE_URL": database, "REDIS_URL": ""}
    env |= {"DEBUG": "1", "ALLOWED_HOSTS": "localhost", "EMAIL_URL": "outbox:", "METRICS_TOKEN": ""}
    env |= {"SITE_URL": "http://localhost:8000", "LOG_LEVEL": "ERROR"}
    env.pop("DJANGO_SETTINGS_MODULE", None)

    def run(*args: str, fails: bool = False) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *args]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        assert bool(done.returncode) is fails, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def site(manage: Manage) -> Manage:
    """The same, with games."""
    manage("migrate", "--verbosity", "0")
    manage("createcachetable")
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
    manage("migrate", "--verbosity", "0")
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
