"""Tests of outages of a part that pages need: visitors get a 503 with ``Retry-After``, and lose nothing."""

import errno
import logging
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis.exceptions
from django.conf import settings
from django.db import OperationalError, close_old_connections, connection, connections
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path, reverse
from django.utils import timezone
from psycopg_pool import PoolTimeout

from accounts.models import Player
from carcassonne.error_responses import RETRY_AFTER, SHORT_WAIT, wait_as_set, wait_less
from carcassonne.logs import HEADER, InContext
from carcassonne.urls import handler500
from carcassonne.urls import urlpatterns as ours
from core.connection_errors import InOneLine
from games.models import Game, Note
from games.play.positions import load_position
from games.rules.notation import write
from tests.accounts.signing_in import sign_in
from tests.games.factories import make_game
from tests.games.visitors import signed_in
from tests.html import Page

ROOT = Path(__file__).parents[2]
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="there is no server to cut off")
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite locks the whole database")


def by_django(cause: Exception) -> OperationalError:
    error = OperationalError(*cause.args)
    error.__cause__ = cause
    return error


def gone() -> OperationalError:
    return by_django(psycopg.OperationalError("consuming input failed: server closed the connection"))


@contextmanager
def database_away() -> Iterator[list[str]]:
    """Let every query fail; yields those that were tried."""
    tried: list[str] = []

    def fail(execute: Any, sql: str, *rest: Any) -> Any:
        tried.append(sql)
        raise gone()

    with connection.execute_wrapper(fail):
        yield tried


@pytest.fixture
def lines() -> Iterator[StringIO]:
    """The site's log lines, through the handler's filters, each with its level and request."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(request_id)s %(message)s"))
    handler.addFilter(InContext())
    handler.addFilter(InOneLine())
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)
    yield stream
    logging.getLogger().removeHandler(handler)


def asked_in_between(request: HttpRequest) -> HttpResponse:
    """Run queries before and after the connection breaks."""
    Player.objects.count()
    cut_off()
    Player.objects.count()
    raise AssertionError("the connection lives")


urlpatterns = [*ours, path("cut/", asked_in_between)]
__all__ = ["handler500", "urlpatterns"]


def cut_off() -> None:
    """End this thread's connection to PostgreSQL from outside."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (process,) = cursor.fetchone()
    at = connection.get_connection_params()
    wanted = {name: at[name] for name in ("host", "port", "user", "password", "dbname") if name in at}
    with psycopg.connect(**wanted, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [process])


@pytest.fixture
def between_requests() -> Iterator[Callable[[], None]]:
    """A function that closes broken connections, as the site does after each request."""
    yield close_old_connections
    close_old_connections()


def is_apology(response: Any) -> bool:
    return (
        response.status_code == 503
        and response["Retry-After"] == str(RETRY_AFTER)
        and response["Cache-Control"] == "no-store"
        and Page(response).text("h1") == "Please wait a moment"
    )


def awaited(game: Game) -> tuple[Client, dict[str, Any]]:
    """The client of the player on turn, and the data of a legal turn."""
    client = Client(raise_request_exception=False)
    at = load_position(game)
    sign_in(client, game.seats.get(index=at.decision.seat).player)
    return client, {"line": write(at.legal_actions()[0]), "version": game.version}


@pytest.mark.django_db
@pytest.mark.parametrize("known", [False, True], ids=["stranger", "player"])
def test_without_a_database_pages_say_when_to_come_again_and_ask_once(
    known: bool, client: Client, lines: StringIO
) -> None:
    client.raise_request_exception = False
    if known:
        sign_in(client, make_game(now=timezone.now()).host)
    with database_away() as tried:
        response = client.get(reverse("games:lobby"), headers={HEADER: "a-request-id"})
    assert is_apology(response) and len(tried) == 1
    assert Page(response).text("main a.button") == "Try again"
    (line,) = lines.getvalue().splitlines()
    assert line.startswith("WARNING django.request a-request-id Service Unavailable: /")
    assert "(the database is away: consuming input failed" in line
    assert client.get(reverse("games:lobby")).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "title"),
    [({"headers": {"Accept-Language": "pl"}}, "pl"), ({"cookie": "sk"}, "sk"), ({}, "en")],
)
def test_it_is_told_in_the_visitors_language(said: dict[str, Any], title: str, client: Client) -> None:
    client.raise_request_exception = False
    if "cookie" in said:
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = said["cookie"]
    with database_away():
        response = client.get(reverse("games:lobby"), headers=said.get("headers", {}))
    assert (response.status_code, Page(response).one("html")["lang"]) == (503, title)
    assert (Page(response).text("h1") == "Please wait a moment") == (title == "en")


@pytest.mark.django_db
def test_who_prefers_json_is_told_in_json(client: Client) -> None:
    client.raise_request_exception = False
    with database_away():
        response = client.get(reverse("games:lobby"), headers={"Accept": "application/json"})
    assert (response.status_code, response["Retry-After"]) == (503, str(RETRY_AFTER))
    assert response.json() == {"error": "unavailable", "retry_after": RETRY_AFTER}


@pytest.mark.django_db
def test_a_form_that_could_not_be_taken_offers_no_link_that_would_lose_it() -> None:
    client, turn = awaited(game := make_game(now=timezone.now()))
    with database_away():
        response = client.post(reverse("games:play", args=[game.code]), turn)
    assert is_apology(response) and not Page(response).has("main a")


@pytest.mark.django_db
def test_what_is_no_outage_stays_a_fault_of_ours(client: Client) -> None:
    client.raise_request_exception = False

    def fail(execute: Any, *rest: Any) -> Any:
        raise by_django(psycopg.errors.UndefinedColumn("no such column"))

    with connection.execute_wrapper(fail):
        assert client.get(reverse("games:lobby")).status_code == 500


@pytest.mark.django_db
def test_answers_are_counted_by_their_status(client: Client) -> None:
    def counted() -> float:
        text = client.get("/-/metrics/", headers={"Authorization": "Bearer a token of the tests"}).content
        wanted = [line for line in text.decode().splitlines() if 'status="503"' in line and "lobby" in line]
        return sum(float(one.split()[-1]) for one in wanted)

    client.raise_request_exception = False
    before = counted()
    with database_away():
        client.get(reverse("games:lobby"))
    assert counted() == before + 1


# ---------------------------------------------------------------- connections that break


@on_postgresql
@pytest.mark.urls(__name__)
@pytest.mark.django_db(transaction=True)
def test_a_connection_that_breaks_in_a_request_is_told_and_the_next_works(
    client: Client, between_requests: Callable[[], None]
) -> None:
    client.raise_request_exception = False
    assert is_apology(client.get("/cut/"))
    between_requests()
    assert client.get(reverse("games:lobby")).status_code == 200


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_connection_that_broke_between_requests_is_not_noticed(
    client: Client, between_requests: Callable[[], None]
) -> None:
    assert client.get(reverse("games:lobby")).status_code == 200
    cut_off()
    connection.close()  # as at the end of a request: the pool gets it back, and finds out
    assert client.get(reverse("games:lobby")).status_code == 200


@on_postgresql
@pytest.mark.parametrize("committed", [False, True], ids=["lost", "committed"])
@pytest.mark.django_db(transaction=True)
def test_a_turn_whose_commit_broke_may_be_sent_again(
    committed: bool,
    monkeypatch: pytest.MonkeyPatch,
    between_requests: Callable[[], None],
    lines: StringIO,
) -> None:
    """A turn that is sent again is stored once, whether the commit or only its response was lost."""
    game = make_game(now=timezone.now())
    client, turn = awaited(game)
    database = connections["default"]
    commit = database._commit

    def breaks() -> None:
        if not played():  # it is of another transaction
            commit()
        elif committed:
            commit()
            with database.wrap_database_errors:
                raise psycopg.OperationalError("server closed the connection unexpectedly")
        else:
            cut_off()
            commit()

    def played() -> bool:
        return Game.objects.get(pk=game.pk).version > turn["version"]

    with monkeypatch.context() as patch:
        patch.setattr(database, "_commit", breaks)
        response = client.post(reverse("games:play", args=[game.code]), turn)
    assert is_apology(response)
    between_requests()
    assert played() is committed
    assert client.post(reverse("games:play", args=[game.code]), turn).status_code == 302
    moves = game.moves.filter(version__gt=turn["version"], ply__isnull=False)
    assert moves.count() == 1
    assert "WARNING django.request" in lines.getvalue() and "Traceback" not in lines.getvalue()


def test_once_a_process_has_waited_in_vain_it_waits_less_until_there_is_a_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class WithPool:
        alias = "default"
        pool = type("", (), {"timeout": 10})()

    options = {"OPTIONS": {"pool": {"timeout": 10}}}
    monkeypatch.setattr("carcassonne.error_responses.connection", WithPool)
    monkeypatch.setitem(settings.DATABASES, "default", {**settings.DATABASES["default"], **options})
    wait_less(gone())
    assert WithPool.pool.timeout == 10
    wait_less(by_django(PoolTimeout("couldn't get a connection after 10.00 sec")))
    assert WithPool.pool.timeout == SHORT_WAIT
    wait_as_set(connection=WithPool)
    assert WithPool.pool.timeout == 10


@pytest.mark.parametrize("silent", [False, True], ids=["refuses", "says nothing"])
def test_without_a_database_a_visitor_is_told_so(silent: bool) -> None:
    """Also when its machine takes connections and then says nothing; it is waited for as the settings say."""
    with closing(socket.socket()) as server:
        server.bind(("127.0.0.1", 0))
        if silent:
            server.listen()
        port = server.getsockname()[1]
        code = (
            "import django; django.setup(); from django.test import Client\n"
            "visitor = Client(raise_request_exception=False)\n"
            "visitor.get('/offline/', headers={'Host': 'localhost'})\n"  # so that all is loaded
            "answer = visitor.get('/lobby/', headers={'Host': 'localhost'})\n"
            "print(answer.status_code, flush=True); import os; os._exit(0)"
        )
        env = {
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "DATABASE_URL": f"postgres://nobody@127.0.0.1:{port}/none",
        }
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["503"], done.stderr


# ---------------------------------------------------------------- a database that is locked


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_locked_is_told_so_and_leaves_its_traceback(lines: StringIO) -> None:
    """The visitor can try again; but whoever has locked it for so long is to be found."""
    game = make_game(now=timezone.now())
    client, turn = awaited(game)
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 50")
        other.execute("BEGIN IMMEDIATE")
        response = client.post(reverse("games:play", args=[game.code]), turn)
    assert is_apology(response)
    assert "Service Unavailable" in lines.getvalue() and "Traceback" in lines.getvalue()
    assert client.post(reverse("games:play", args=[game.code]), turn).status_code == 302


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_what_finds_a_full_disk_is_told_to_try_again_and_changes_nothing() -> None:
    addresses = [reverse("games:notes", args=[make_game(now=timezone.now()).code]) for _ in range(3)]
    client, note = signed_in("Anna"), {"ply": "0", "text": "z" * 3900}  # which fills a page
    client.raise_request_exception = False
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE filler (bytes BLOB)")
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        with suppress(OperationalError):
            while True:
                cursor.execute("INSERT INTO filler VALUES (zeroblob(4000))")
        try:
            answers = [client.post(address, note) for address in addresses]
        finally:
            cursor.execute(f"PRAGMA max_page_count = {2**29}")
            cursor.execute("DROP TABLE filler")
    assert is_apology(answers[-1])
    assert Note.objects.count() == sum(answer.status_code < 400 for answer in answers)
    assert client.post(addresses[-1], note).status_code == 302


@pytest.mark.django_db
def test_no_room_is_said_so_and_other_errors_are_not(client: Client) -> None:
    client.raise_request_exception = False
    table_full = sqlite3.OperationalError("database or disk is full")
    table_full.sqlite_errorcode = sqlite3.SQLITE_FULL
    no_map = sqlite3.OperationalError("disk I/O error")
    no_map.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    syntax = sqlite3.OperationalError("near SELECT: syntax error")
    syntax.sqlite_errorcode = sqlite3.SQLITE_ERROR
    for error, status in (
        (by_django(table_full), 503),
        (by_django(no_map), 503),
        (by_django(psycopg.errors.DiskFull("could not extend file: No space left on device")), 503),
        (by_django(psycopg.errors.OutOfMemory("out of memory")), 503),
        (OSError(errno.ENOSPC, "No space left on device"), 503),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), 503),
        (redis.exceptions.OutOfMemoryError("command not allowed when used memory > 'maxmemory'."), 503),
        (redis.exceptions.ResponseError("MISCONF Redis is unable to persist to disk"), 503),
        (by_django(syntax), 500),
        (by_django(psycopg.errors.UndefinedTable("relation does not exist")), 500),
        (redis.exceptions.ResponseError("WRONGTYPE"), 500),
        (PermissionError(errno.EACCES, "Permission denied"), 500),
    ):

        def fail(execute: Any, sql: str, *rest: Any, error: Exception = error) -> Any:
            raise error

        with connection.execute_wrapper(fail):
            response = client.get(reverse("games:lobby"))
        assert response.status_code == status, error
        assert status == 500 or is_apology(response), error
