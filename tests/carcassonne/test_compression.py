"""Pages as gzip: for whom, and that they stay what they are."""

import gzip

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory

from carcassonne.compression import LEAST, QuickGZipMiddleware

TEXT = b"Tiles join along their edges. " * 100


def answered(response: HttpResponseBase, accepts: str = "gzip, deflate, br") -> HttpResponseBase:
    """*response* as a browser gets it that *accepts* this."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        return response

    request = RequestFactory().get("/", headers={"Accept-Encoding": accepts})
    return QuickGZipMiddleware(respond)(request)  # type: ignore[return-value]


def test_is_the_same_page_in_fewer_bytes() -> None:
    page = answered(HttpResponse(TEXT))
    assert isinstance(page, HttpResponse)
    assert gzip.decompress(page.content) == TEXT
    assert len(page.content) < len(TEXT) / 10
    assert (page["Content-Encoding"], page["Vary"]) == ("gzip", "Accept-Encoding")
    assert page["Content-Length"] == str(len(page.content))


def test_its_length_is_never_quite_the_same() -> None:
    pages = [answered(HttpResponse(TEXT)) for _ in range(20)]
    assert len({page["Content-Length"] for page in pages}) > 1


def test_who_does_not_accept_it_gets_it_plain() -> None:
    page = answered(HttpResponse(TEXT), accepts="br")
    assert isinstance(page, HttpResponse)
    assert page.content == TEXT
    assert page["Vary"] == "Accept-Encoding" and not page.has_header("Content-Encoding")


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(b"x" * (LEAST - 1)),
        HttpResponse(TEXT, headers={"Content-Encoding": "br"}),
        HttpResponse(bytes(range(256))),
    ],
    ids=["short", "compressed already", "not shorter"],
)
def test_what_would_gain_nothing_stays(response: HttpResponse) -> None:
    before = response.content, response.get("Content-Encoding")
    page = answered(response)
    assert isinstance(page, HttpResponse)
    assert (page.content, page.get("Content-Encoding")) == before


@pytest.mark.parametrize("etag", ['"one"', 'W/"one"'])
def test_its_etag_is_weak(etag: str) -> None:
    assert answered(HttpResponse(TEXT, headers={"ETag": etag}))["ETag"] == 'W/"one"'


def test_a_stream_stays_one() -> None:
    page = answered(StreamingHttpResponse([TEXT, TEXT]))
    assert isinstance(page, StreamingHttpResponse)
    assert gzip.decompress(b"".join(page)) == 2 * TEXT


@pytest.mark.django_db
def test_pages_of_the_site_come_so() -> None:
    client = Client(headers={"Accept-Encoding": "gzip"})
    page = client.get("/")
    assert page["Content-Encoding"] == "gzip"
    assert b"</html>" in gzip.decompress(page.content)
