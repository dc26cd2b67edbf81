"""Tests of probes of this process, under any host name."""

import logging
import pkgutil
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.conf import LazySettings
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import OperationalError
from django.test import Client
from kombu.exceptions import OperationalError as BrokerAway

from carcassonne import health

PROBE = {"HTTP_HOST": "10.0.0.7:8000"}
"""Headers of load balancers and containers: an address that is no name of the site, without HTTPS."""


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    """Reset the cached faults before and after each test."""
    health._known = health.NEVER_ASKED
    yield
    health._known = health.NEVER_ASKED


def away(*args: object, **options: object) -> None:
    raise OperationalError("secret.example refused carcassonne")


def answer(client: Client, path: str) -> tuple[int, str]:
    response = client.get(path, secure=False, **PROBE)
    assert "no-store" in response["Cache-Control"]
    return response.status_code, response.content.decode()


@pytest.fixture
def no_redirect(settings: LazySettings) -> None:
    settings.SECURE_SSL_REDIRECT = True


def test_a_live_process_says_so_without_asking_the_database(client: Client, no_redirect: None) -> None:
    """pytest-django lets nothing near the database here."""
    assert answer(client, "/-/live/") == (200, "live\n")


@pytest.mark.django_db
def test_a_process_that_can_serve_is_ready(client: Client, no_redirect: None) -> None:
    assert answer(client, "/-/ready/") == (200, "ready\n")
    assert answer(client, "/-/ready/?with=broker") == (200, "ready\n")


def test_without_a_database_it_is_not_and_only_the_log_says_why(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(health, "connection", type("", (), {"ensure_connection": away}))
    assert answer(client, "/-/ready/") == (503, "not ready\n")
    assert "secret.example" in caplog.text
    assert answer(client, "/-/live/") == (200, "live\n")


@pytest.mark.django_db
def test_with_tables_of_an_older_release_it_is_not(client: Client) -> None:
    last = MigrationRecorder.Migration.objects.filter(app="games").latest("pk")
    last.delete()
    assert health.missing_migrations() == {("games", last.name)}
    assert answer(client, "/-/ready/")[0] == 503


@pytest.mark.django_db
def test_the_next_releases_files_do_not_take_a_process_out_of_service(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After `git pull` they lie there until `migrate` has ended, or for longer if it fails."""
    client.get("/-/live/")  # so it has started
    monkeypatch.setattr(pkgutil, "iter_modules", lambda path: [SimpleNamespace(name="9999_of_the_next")])
    assert answer(client, "/-/ready/") == (200, "ready\n")


@pytest.mark.django_db
def test_pages_are_served_without_a_broker_but_no_release_is_rolled_out(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**options: object) -> None:
        raise BrokerAway("Connection refused")

    monkeypatch.setattr(health.app, "connection_for_write", refuse)
    assert answer(client, "/-/ready/")[0] == 200
    assert answer(client, "/-/ready/?with=broker")[0] == 503


@pytest.mark.django_db
def test_however_often_it_is_asked_it_looks_once_a_second(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    monkeypatch.setattr(health, "faults", lambda: looked.append(1) or [])
    for _ in range(20):
        assert answer(client, "/-/ready/")[0] == 200
    assert len(looked) == 1


def test_while_one_looks_the_others_wait_for_nobody(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a database that is away would hold all threads, and the process would seem dead."""
    monkeypatch.setattr(health, "faults", lambda: pytest.fail("looked twice"))
    with health._asking:
        assert answer(client, "/-/ready/")[0] == 503  # not checked yet


@pytest.mark.parametrize("path", ["/-/", "/-/other/", "/-/live"])
def test_there_is_nothing_else(client: Client, path: str) -> None:
    response = client.get(path, **PROBE)
    assert (response.status_code, response.content) == (404, b"not found\n")


@pytest.mark.parametrize("path", ["/-/live/", "/-/ready/", "/-/metrics/"])
def test_they_are_only_read(client: Client, path: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    assert client.post(path, **PROBE).status_code == 405
