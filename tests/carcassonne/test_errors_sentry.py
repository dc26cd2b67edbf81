"""Tests of what is reported to Sentry of an error, and what never is."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from carcassonne.errors import scrub_event, without_values
from carcassonne.logs import in_context

ROOT = Path(__file__).parents[2]
PROCESS = """
import json, sys, django, sentry_sdk
from sentry_sdk.transport import Transport
django.setup()
from django.test import Client
from carcassonne import pwa
from carcassonne.errors import report_to

class Printed(Transport):
    def capture_envelope(self, envelope):
        if event := envelope.get_event():
            print("EVENT", json.dumps(event, default=str))

def broken():
    secret_of_the_bag = "CRFR-next"
    raise RuntimeError(f"Broken with {len(secret_of_the_bag)}")

pwa.shell = broken
report_to("https://public@sentry.example/1", environment="test", transport=Printed())
client = Client(raise_request_exception=False)
client.cookies["known"] = "baked"
answer = client.get("/sw.js?hint=hinted", REMOTE_ADDR="198.51.100.7", headers={"User-Agent": "browsing"})
assert answer.status_code == 500
"""
"""Script of a site that reports its errors, in a process of its own, as sentry_sdk changes all of Django."""


def run(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", **env}
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)


def test_an_error_is_told_without_who_it_was() -> None:
    done = run(PROCESS)
    assert done.returncode == 0, done.stderr
    told = [line.removeprefix("EVENT ") for line in done.stdout.splitlines() if line.startswith("EVENT ")]
    assert len(told) == 1  # logging the error doesn't report it again
    event: dict[str, Any] = json.loads(told[0])
    assert event["exception"]["values"][-1]["value"] == "Broken with 9"
    assert "request" not in event and len(event["tags"]["request_id"]) == 32
    assert event["transaction"] == "/sw.js"
    for never in ("hinted", "baked", "198.51.100.7", "browsing", "CRFR-next"):
        assert never not in told[0], never


def test_of_a_player_the_number_is_told_and_of_a_game_the_code() -> None:
    events: list[dict[str, Any]] = []

    def broken(request: HttpRequest) -> HttpResponse:
        request._cached_user = SimpleNamespace(pk=7)  # type: ignore[attr-defined]
        request.resolver_match = SimpleNamespace(kwargs={"code": "abc"}, view_name="", route="")  # type: ignore[assignment]
        event = {
            "user": {"id": 7, "email": "anna@example.org", "ip_address": "198.51.100.7"},
            "request": {"method": "POST", "url": "https://x/mail/stop/token/", "cookies": {"session": "s"}},
            "extra": {"celery-job": {"args": ["anna@example.org"]}},
            "contexts": {"celery-job": {"args": ["anna@example.org"]}, "runtime": {"name": "CPython"}},
        }
        events.append(scrub_event(event))
        return HttpResponse()

    in_context(broken)(RequestFactory().get("/"))
    (event,) = events
    assert event["tags"].pop("request_id")
    assert event == {
        "user": {"id": 7},
        "tags": {"game": "abc"},
        "contexts": {"runtime": {"name": "CPython"}},
    }


def test_crumbs_tell_no_values() -> None:
    query = {"category": "query", "message": "SELECT %s", "data": {"db.params": ["anna@example.org"]}}
    assert without_values(query) == {"category": "query", "message": "SELECT %s"}
    line = {"category": "security", "message": "network=198.51.100.7", "data": {}}
    assert without_values(line) == {"category": "security", "message": ""}


def test_without_an_address_it_is_not_even_imported() -> None:
    assert run("import django, sys; django.setup(); sys.exit('sentry_sdk' in sys.modules)").returncode == 0
    asked = "import django, sys; django.setup(); sys.exit('sentry_sdk' not in sys.modules)"
    assert run(asked, SENTRY_DSN="https://public@sentry.example/1").returncode == 0
