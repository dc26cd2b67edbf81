"""Tests of the checks that every request must pass."""

import logging
from io import StringIO

import pytest
from django.conf import settings as site
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django.fixtures import Settings

from carcassonne.wsgi import application
from core.connection_errors import InOneLine
from tests.games.factories import make_game
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/", "/account/login/", "/nothing/here/"])
@pytest.mark.parametrize("port", [":8000", ":80", ":" + "9" * 5000])
def test_a_host_with_another_port_is_refused(client: Client, path: str, port: str) -> None:
    assert client.get(path, headers={"host": f"testserver{port}"}).status_code == 400


@pytest.mark.parametrize("host", ["testserver", "testserver:443", "localhost", "127.0.0.1:443"])
def test_the_site_answers_on_the_port_of_its_address(client: Client, host: str) -> None:
    assert client.get("/account/login/", headers={"host": host}).status_code == 200


def test_the_ports_are_those_of_the_settings(client: Client, settings: Settings) -> None:
    settings.ALLOWED_PORTS = {8123}
    assert client.get("/", headers={"host": "testserver:8123"}).status_code == 200
    assert client.get("/", headers={"host": "testserver:443"}).status_code == 400


@pytest.mark.parametrize("path", ["account_login", "games:home"])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_body_larger_than_any_form_is_refused_unread(client: Client, path: str, kind: str) -> None:
    large = b"x" * (site.LONGEST_FORM + 1)
    assert client.post(reverse(path), large, content_type=kind).status_code == 413


def test_a_file_is_refused_as_any_other_body(client: Client) -> None:
    """Django bounds the fields of a form, but takes files of any length."""
    part = b'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n%b\r\n--x--\r\n'
    large = part % (b"x" * site.LONGEST_FORM)
    kind = "multipart/form-data; boundary=x"
    assert client.post(reverse("account_login"), large, content_type=kind).status_code == 413


def test_a_body_that_is_too_large_is_told_in_words_and_is_one_line_of_the_log(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    large = b"x" * (site.LONGEST_FORM + 1)
    kind = "application/x-www-form-urlencoded"
    answer = client.post(reverse("account_login"), large, content_type=kind)
    assert Page(answer).text("h1") == "Too much at once"
    (record,) = caplog.records
    assert record.getMessage() == f"A body of {len(large)} bytes was refused"
    assert (record.levelname, record.exc_info) == ("WARNING", None)
    spoken = client.post(
        reverse("account_login"), large, content_type=kind, headers={"Accept-Language": "pl"}
    )
    assert Page(spoken).one("html")["lang"] == "pl"


def test_what_a_request_is_refused_for_is_one_line_of_the_log(client: Client) -> None:
    said = StringIO()
    handler = logging.StreamHandler(said)
    handler.addFilter(InOneLine())
    logging.getLogger().addHandler(handler)
    try:
        assert client.post(reverse("account_login"), {f"a{n}": "" for n in range(1001)}).status_code == 400
    finally:
        logging.getLogger().removeHandler(handler)
    assert len(said.getvalue().splitlines()) == 1 and "TooManyFields" not in said.getvalue()


def test_the_longest_note_is_small_enough(client: Client) -> None:
    note = {"text": "\N{CASTLE}" * 4000}  # each is twelve bytes in a form
    assert client.post(reverse("account_login"), note).status_code == 200


@pytest.mark.parametrize("length", ["many", "-1", "²", "1e3", "9" * 5000])
def test_a_body_whose_length_is_no_number_is_refused(client: Client, length: str) -> None:
    assert client.post(reverse("set_language"), {"language": "en"}, CONTENT_LENGTH=length).status_code == 400


@pytest.mark.parametrize("charset", ["; charset=utf-16", ";CharSet=klingon", "; charset=utf-8; a=b"])
def test_a_charset_lets_no_query_break_before_anybody_can_answer(charset: str) -> None:
    """Django parses the query as soon as a request names one."""
    query = "&".join(["a=1"] * 1200)
    asked = {
        "PATH_INFO": reverse("account_login"),
        "QUERY_STRING": query,
        "CONTENT_TYPE": "text/plain" + charset,
    }
    answers: list[str] = []
    b"".join(
        application(RequestFactory()._base_environ(**asked), lambda status, *more: answers.append(status))
    )
    assert answers == ["400 Bad Request"]


def test_no_text_has_a_nul(client: Client) -> None:
    """Texts with a NUL are refused also where no Django form reads them: PostgreSQL can't store it."""
    game = make_game()
    client.force_login(game.host)
    talk = reverse("games:talk", args=[game.code])
    assert client.post(talk, {"text": "Hello\0"}).status_code == 400
    assert not game.talk.exists()
    assert client.post(talk, {"text": "Hello"}).status_code == 302
