"""Tests of static files of a public site: hashed, compressed, cacheable for ever."""

import json
import os
import subprocess
import sys
from pathlib import Path

import brotli
import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import RequestFactory
from whitenoise.middleware import WhiteNoiseMiddleware

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static files after `collectstatic` with the site's settings, not those of tests."""
    folder = tmp_path_factory.mktemp("static")
    env = {**os.environ, "STATIC_ROOT": str(folder), "DJANGO_SETTINGS_MODULE": "carcassonne.settings"}
    env["DATA_DIR"] = str(tmp_path_factory.mktemp("data"))
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=env, check=True)
    return folder


@pytest.fixture
def server(collected: Path, settings: LazySettings) -> WhiteNoiseMiddleware:
    """The middleware that sends them."""
    settings.STATIC_ROOT = collected
    settings.WHITENOISE_AUTOREFRESH = False
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {
            "BACKEND": "carcassonne.static_files.FilesAsSent",
            "OPTIONS": {"location": collected},
        },
    }
    return WhiteNoiseMiddleware(lambda request: HttpResponse(status=404))


def hashed(collected: Path, name: str) -> str:
    return json.loads((collected / "staticfiles.json").read_text())["paths"][name]


@pytest.mark.parametrize("name", ["css/site.css", "js/frame.js"])
def test_a_file_of_a_release_is_kept_for_ever(
    collected: Path, server: WhiteNoiseMiddleware, name: str
) -> None:
    answer = server(RequestFactory().get(f"/static/{hashed(collected, name)}"))
    assert answer["Cache-Control"] == "max-age=315360000, public, immutable"
    unhashed = server(RequestFactory().get(f"/static/{name}"))
    assert unhashed["Cache-Control"] == "max-age=60, public"


@pytest.mark.parametrize("name", ["css/site.css", "js/frame.js"])
def test_who_reads_brotli_gets_it(collected: Path, server: WhiteNoiseMiddleware, name: str) -> None:
    path = f"/static/{hashed(collected, name)}"
    plain = b"".join(server(RequestFactory().get(path)))
    answers = {}
    for coding in ("br", "gzip"):
        answer = server(RequestFactory().get(path, HTTP_ACCEPT_ENCODING=f"{coding}, deflate"))
        assert answer["Content-Encoding"] == coding and answer["Vary"] == "Accept-Encoding"
        answers[coding] = b"".join(answer)
    assert brotli.decompress(answers["br"]) == plain
    assert len(answers["br"]) < len(answers["gzip"]) < len(plain)
