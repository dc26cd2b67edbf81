"""Tests of static files of `make run`, served from the source and compressed."""

import gzip
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from carcassonne.static_files import minify_script

STATIC = Path(__file__).resolve().parents[3] / "static"
SOURCE = STATIC / "css/site.css"
CSS = "/static/css/site.css"


@pytest.fixture
def visitor(settings: Settings) -> Client:
    """A browser that accepts compressed files, on a machine in debug mode."""
    settings.MIDDLEWARE = ["carcassonne.local.static_files.StaticFilesMiddleware"]
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    return Client(headers={"Accept-Encoding": "gzip, deflate, br"})


@pytest.mark.parametrize("kind", ["css/*.css", "js/*.js", "games/*.svg"])
def test_text_is_compressed(visitor: Client, kind: str) -> None:
    source = max(STATIC.glob(kind), key=lambda file: file.stat().st_size)
    response = visitor.get(f"/static/{source.relative_to(STATIC)}")
    body = b"".join(response) if response.streaming else response.content
    assert (response["Content-Encoding"], response["Vary"]) == ("gzip", "Accept-Encoding")
    assert int(response["Content-Length"]) == len(body)
    expected = (
        minify_script(source.read_text("utf-8")) if source.suffix == ".js" else source.read_text("utf-8")
    )
    assert gzip.decompress(body).decode() == expected


def test_who_accepts_no_compressed_files_gets_them_as_they_are(visitor: Client) -> None:
    response = visitor.get(CSS, headers={"Accept-Encoding": "identity"})
    assert not response.has_header("Content-Encoding")
    assert response["Vary"] == "Accept-Encoding"
    assert b"".join(response) == SOURCE.read_bytes()


def test_pictures_are_compressed_already(visitor: Client) -> None:
    response = visitor.get("/static/img/icon-192.png")
    assert (response.status_code, response.has_header("Content-Encoding")) == (200, False)


def test_what_has_not_changed_is_not_sent_again(visitor: Client) -> None:
    etag = visitor.get(CSS)["ETag"]
    assert visitor.get(CSS, headers={"If-None-Match": etag}).status_code == 304


def test_a_part_of_a_file_is_a_part_of_the_file_as_it_is(visitor: Client) -> None:
    response = visitor.get(CSS, headers={"Range": "bytes=0-9"})
    assert (response.status_code, b"".join(response)) == (206, SOURCE.read_bytes()[:10])
    assert not response.has_header("Content-Encoding")


def test_only_their_heads_are_told(visitor: Client) -> None:
    assert visitor.head(CSS).status_code == 200
