"""Tests of the doctor's findings on a sound site, and on one with missing parts."""

import os
import socket
import subprocess
import sys
from collections import namedtuple
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from kombu.exceptions import OperationalError
from pytest_django.fixtures import Settings

from accounts.models import Letter
from carcassonne import doctor
from carcassonne.doctor import Finding, examine
from carcassonne.tasks import answer
from core.attempts import LOST
from core.models import FailedTask
from games.models import GIVEN_UP, Channel, Heartbeat, Kind, Notice
from tests.games.factories import heart_beats, make_game, make_player, play_turns

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that serves all queues at once."""
    monkeypatch.setattr(answer, "apply_async", lambda args, **options: answer(*args))


@pytest.fixture(autouse=True)
def sound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the beat tick, and skip the check of the tests' own settings."""
    heart_beats(timezone.now())
    monkeypatch.setattr("django.core.checks.run_checks", lambda **options: [])
    monkeypatch.setattr(doctor, "tables_to_be_emptied", list)  # tests own their tables


def test_a_role_that_may_empty_what_is_append_only_is_told(
    worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no roles")
    monkeypatch.undo()
    assert "games_moderationact" in doctor.tables_to_be_emptied()
    (finding,) = doctor.the_rights(1)
    assert not finding.well and "games_moderationact" in finding.seen and "roles.sql" in finding.advice


def test_two_listeners_on_one_port_are_told(settings: Settings) -> None:
    """As a worker that a killed web server has left, and the one started after it."""
    with closing(socket.socket()) as left, closing(socket.socket()) as new:
        for one in (left, new):
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        left.bind(("127.0.0.1", 0))
        left.listen()
        port = left.getsockname()[1]
        settings.WEB_PORTS = [port]
        assert list(doctor.the_ports(1)) == []
        new.bind(("127.0.0.1", port))
        new.listen()
        (finding,) = doctor.the_ports(1)
    assert (finding.what, finding.well) == (f"port {port}", False)
    assert finding.seen.startswith("2 processes listen")


def ill() -> dict[str, Finding]:
    """The findings that are not well, by subject."""
    return {finding.what: finding for finding in examine(0.3) if not finding.well}


def test_a_sound_site_is_well(worker: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert ill() == {}
    call_command("doctor", wait=0.3)
    told = capsys.readouterr().out
    assert told.endswith("All is well.\n") and "ok   worker of notices: answers" in told


def test_says_whether_notifications_are_offered(worker: None, settings: Settings) -> None:
    (finding,) = doctor.the_push_key(1)
    assert finding.well and "offered, with the public key" in finding.seen
    settings.VAPID_PRIVATE_KEY = ""
    (finding,) = doctor.the_push_key(1)
    assert finding.well and finding.seen.startswith("not offered")
    settings.VAPID_PRIVATE_KEY = "no key at all"
    assert ill()["push key"].advice.startswith("Make a key with manage.py make_push_key")


def test_a_queue_from_which_nobody_takes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(args: tuple[str], queue: str, **options: object) -> None:
        if queue != "notices":
            answer(*args)

    monkeypatch.setattr(answer, "apply_async", lost)
    findings = ill()
    assert list(findings) == ["worker of notices"]
    assert "--queues notices" in findings["worker of notices"].advice


def test_what_breaks_is_told_and_the_rest_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def away(**options: object) -> None:
        raise OperationalError("Connection refused")

    monkeypatch.setattr(answer, "apply_async", away)
    monkeypatch.setattr(EmailBackend, "open", away, raising=False)
    assert set(ill()) == {"workers", "mails"}
    with pytest.raises(CommandError, match="2 things"):
        call_command("doctor", wait=0.3)
    told = capsys.readouterr().out
    assert "ILL  workers: OperationalError: Connection refused\n     → Is the broker" in told
    assert "disk" in told


@pytest.mark.parametrize("age", [None, timedelta(hours=1)])
def test_a_beat_that_stands_still(worker: None, age: timedelta | None) -> None:
    Heartbeat.objects.all().delete()
    if age is not None:
        Heartbeat.objects.create(name="sweep", at=timezone.now() - age)
    assert list(ill()) == ["beat"]


def test_without_a_database_only_its_own_advice_is_about_it(worker: None) -> None:
    """Beat may well tick, and mails go: who starts another beat for that looks in the wrong place."""

    def fail(*args: object) -> None:
        raise psycopg.OperationalError("connection refused")

    with connection.execute_wrapper(fail):
        findings = ill()
    assert findings["database"].advice.startswith("Is it running, and does DATABASE_URL name it?")
    assert {findings["beat"].advice, findings["mails"].advice} == {
        "This can't be known while the database is away."
    }


@pytest.mark.skipif(connection.vendor != "postgresql", reason="there is no server that could refuse")
def test_why_a_server_refuses_is_told_and_not_how_long_the_pool_has_waited(
    worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = connection.get_connection_params() | {"dbname": "there_is_none"}
    monkeypatch.setattr(connections["default"], "get_connection_params", lambda: params)
    assert 'database "there_is_none" does not exist' in ill()["database"].seen


def test_tables_of_an_older_release(worker: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda self, targets: [("one", False)])
    assert ill()["tables"].advice == "manage.py migrate"


def test_a_mail_that_should_have_gone(worker: None) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    Letter.objects.create(player=make_player("Anna"), to="a@example.org", template="one", due=long_ago)
    assert ill()["mails"].seen == "1 should have gone: not tried yet"


def test_a_webhook_of_a_player_that_fails_is_no_mail(worker: None) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    hook = {"channel": Channel.WEBHOOK, "kind": Kind.LEAGUE, "last_error": "Connection refused"}
    Notice.objects.create(
        key="one", recipient=make_player("Anna"), created=long_ago, due=long_ago, next_try=long_ago, **hook
    )
    assert not ill()


def test_a_heart_that_beats_ahead(worker: None) -> None:
    heart_beats(timezone.now() + timedelta(hours=1))
    findings = ill()
    assert list(findings) == ["beat"]
    assert findings["beat"].seen.endswith("s ahead: the clock went back")


def test_a_turn_that_lies_ahead(worker: None) -> None:
    play_turns(make_game(), 1, now=timezone.now() + timedelta(hours=1))
    Notice.objects.all().delete()
    assert ill()["clock"].seen.endswith("s ahead: it went back")


def test_what_was_put_aside_is_listed_with_its_reason(worker: None) -> None:
    now = timezone.now()
    for number, lost in ((7, LOST), (8, 1)):
        FailedTask.objects.create(
            task="games.tasks.score",
            arguments=f"[{number}]",
            error="WorkerLost: 3 times",
            lost=lost,
            until=now + timedelta(hours=1),
            first=now,
            last=now,
        )
    make_game(now=now)
    dropped = {"dropped": now, "why_dropped": GIVEN_UP, "last_error": "Whoever sent it was killed"}
    Notice.objects.filter(kind="started").update(**dropped)
    told = [finding.seen for finding in examine(0.3) if finding.what == "put aside"]
    key = Notice.objects.get(kind="started").key
    assert told == [
        "games.tasks.score[7]: WorkerLost: 3 times",
        f"mail {key}: Whoever sent it was killed",
    ]


def test_a_cache_that_forgets(worker: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "get", lambda *args, **more: None)
    assert {"cache", "worker of beat"} <= set(ill())


def test_a_clock_that_is_wrong(worker: None, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"Redis": lambda: timezone.now() - timedelta(seconds=9)}
    monkeypatch.setattr(doctor, "_clocks", lambda: wrong)
    assert ill()["clock of Redis"].seen == "9.0 s away from this machine's"


def test_a_full_disk(worker: None, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage(1 << 34, 1 << 34, 0))
    assert ill()["disk"].seen.startswith("0.0 GB free of 16")


def test_settings_of_a_public_site_are_looked_at(tmp_path: Path) -> None:
    wrong = {"DATA_DIR": str(tmp_path), "DEBUG": "0", "SITE_URL": "https://c.example", "SECRET_KEY": "short"}
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--wait", "0.1"],
        cwd=ROOT,
        env={**os.environ, **wrong},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "SECRET_KEY" in done.stdout + done.stderr
