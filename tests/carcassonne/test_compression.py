"""Tests that pages are compressed by Django's middleware."""

import gzip

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_page_is_compressed_for_browsers_that_accept_it() -> None:
    page = Client(headers={"Accept-Encoding": "gzip"}).get("/")
    assert page["Content-Encoding"] == "gzip"
    assert b"</html>" in gzip.decompress(page.content)
    assert not Client(headers={"Accept-Encoding": "br"}).get("/").has_header("Content-Encoding")


def test_its_length_is_never_quite_the_same() -> None:
    """Else a secret could be guessed from it (BREACH)."""
    client = Client(headers={"Accept-Encoding": "gzip"})
    assert len({client.get("/")["Content-Length"] for _ in range(8)}) > 1
