"""Tests of log lines: as JSON, with their context, and without personal data."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from celery import shared_task
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve, reverse

from carcassonne.celery import app
from carcassonne.logs import HEADER, InContext, JsonLines, in_context
from tests.accounts.signing_in import sign_in
from tests.games.factories import make_game

logger = logging.getLogger("tests.logs")


@pytest.fixture
def lines() -> Iterator[StringIO]:
    """All log lines of the site, as JSON."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    options = {key: value for key, value in settings.LOGGING["formatters"]["json"].items() if key != "()"}
    handler.setFormatter(JsonLines(options.pop("format"), **options))
    handler.addFilter(InContext())
    root = logging.getLogger()
    root.addHandler(handler)
    requests = logging.getLogger("carcassonne.requests")
    level = requests.level
    requests.setLevel(logging.INFO)
    yield stream
    requests.setLevel(level)
    root.removeHandler(handler)


def told(lines: StringIO, logger: str) -> list[dict[str, Any]]:
    parsed = [json.loads(line) for line in lines.getvalue().splitlines()]
    return [line for line in parsed if line["logger"] == logger]


@pytest.mark.parametrize("given", ["4f2a9c81d0e34b7f", "a-Request_1.2", "x" * 64])
def test_an_id_that_is_well_formed_is_kept(client: Client, given: str) -> None:
    assert client.get("/sw.js", headers={HEADER: given})[HEADER] == given


@pytest.mark.parametrize("given", ["", "short", "x" * 65, "a line\nof its own", "{json: 'yes'}", "ü" * 20])
def test_another_is_replaced(client: Client, given: str) -> None:
    trace = client.get("/sw.js", headers={HEADER: given})[HEADER]
    assert trace != given and len(trace) == 32 and int(trace, 16)


@pytest.mark.django_db
def test_a_line_names_request_game_and_player(client: Client, lines: StringIO) -> None:
    game = make_game()
    sign_in(client, game.host)
    assert client.get(reverse("games:table", args=[game.code])).status_code == 200
    line = told(lines, "carcassonne.requests")[-1]
    assert line["game"] == game.code and line["player"] == game.host_id
    assert line["route"] == "games:table" and line["status"] == 200 and line["method"] == "GET"
    assert line["request_id"] and line["milliseconds"] >= 0


def test_no_line_tells_what_opens_something(client: Client, lines: StringIO) -> None:
    """A link that stops mails breaks: the error names its address, but not the token in it."""
    token = "abc123token"

    def broken(request: HttpRequest) -> HttpResponse:
        request.resolver_match = resolve(request.path)
        more = {"request": request, "data": {"password": "hunter2"}}
        logger.error("Broken at %s", request.path, extra=more)
        return HttpResponse(status=500)

    request = RequestFactory().get(reverse("games:unsubscribe", args=[token]), HTTP_COOKIE="sessionid=secret")
    in_context(broken)(request)
    assert told(lines, "tests.logs")[0]["message"] == "Broken at /mail/stop/…/"
    written = lines.getvalue()
    assert token not in written and "hunter2" not in written and "secret" not in written


def test_an_exception_is_one_line(lines: StringIO) -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logger.exception("Oh")
    (line,) = told(lines, "tests.logs")
    assert line["traceback"].endswith("ValueError: two\nlines") and line["level"] == "ERROR"
    assert len(lines.getvalue().splitlines()) == 1


@shared_task(name="tests.say")
def say() -> None:
    logger.info("said")


@pytest.mark.django_db
def test_a_line_of_a_task_names_it(lines: StringIO) -> None:
    logger.setLevel(logging.INFO)
    app.tasks["tests.say"].apply(task_id="the-id", headers={"request_id": "of-the-request"})
    (line,) = told(lines, "tests.logs")
    assert (line["task"], line["task_id"]) == ("tests.say", "the-id")
    assert line["request_id"] == "of-the-request"


def test_what_a_request_queues_carries_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []

    def queue(request: HttpRequest) -> HttpResponse:
        with app.connection_for_write() as connection:
            producer = app.amqp.Producer(connection)
            monkeypatch.setattr(producer, "publish", lambda body, headers, **options: sent.append(headers))
            app.tasks["tests.say"].apply_async(producer=producer)
        return HttpResponse()

    in_context(queue)(RequestFactory().get("/", headers={HEADER: "of-the-request"}))
    assert sent[0]["request_id"] == "of-the-request" and sent[0]["sent_at"] > 0
