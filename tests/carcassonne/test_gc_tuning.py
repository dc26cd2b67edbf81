"""Tests that processes that run for days tune their garbage collector."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = "import carcassonne.wsgi"
WORKER = "from carcassonne.celery import app; app.Worker(quiet=True)"
LOOK = (
    "import gc, sys; print(gc.get_freeze_count(), gc.get_threshold()[0], 'games.views.board' in sys.modules)"
)


def asked(begin: str) -> list[str]:
    """The output of a new process about its garbage collector."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run(
        [sys.executable, "-c", f"{begin}; {LOOK}"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.parametrize("begin", [WEB, WORKER], ids=["web", "worker"])
def test_what_is_loaded_is_no_longer_looked_through_for_garbage(begin: str) -> None:
    frozen, threshold, _pages = asked(begin)
    assert int(frozen) > 100_000
    assert int(threshold) == 20_000


def test_no_visitor_waits_for_the_pages_to_be_loaded() -> None:
    assert asked(WEB)[2] == "True"
