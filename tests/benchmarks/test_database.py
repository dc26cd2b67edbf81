"""Tests that benchmarks run one after another in one process without affecting each other."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from django.urls import get_resolver

from tests.permissions.world import walk

HERE = Path(__file__).parents[2]
IN_BETWEEN = """
from benchmarks import site  # first: it chooses the settings
from django.db import connection

from accounts.models import Player
from benchmarks.database import own_database
from games.process_cache import MEMORIES

connection.settings_dict["TEST"]["MIGRATE"] = False  # tables are made at once
there = connection.settings_dict["NAME"]
with own_database():
    Player.objects.create_user("Anna", "anna@example.org")
    MEMORIES[0].put("a game", "as it stood in that database")
    print(connection.settings_dict["NAME"] == there, MEMORIES[0].get("a game"))
print(connection.settings_dict["NAME"] == there, MEMORIES[0].get("a game"))
"""


def test_the_database_of_a_benchmark_goes_and_the_one_before_is_back() -> None:
    run = subprocess.run(
        [sys.executable, "-c", IN_BETWEEN], cwd=HERE, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.stdout.splitlines() == ["False as it stood in that database", "True None"], run.stderr


def test_all_benchmarks_with_a_database_of_their_own_get_it_in_one_way() -> None:
    makers = [path.name for path in HERE.glob("benchmarks/**/*.py") if "_test_db(" in path.read_text()]
    assert makers == ["database.py"]


def test_every_address_that_a_benchmark_asks_for_is_there() -> None:
    """No test runs them all, and an address moves with its application."""
    spaces = "|".join(sorted(str(space) for space in get_resolver().namespace_dict if space != "admin"))
    written = re.compile(rf'"((?:{spaces}):\w+)"')
    asked = {
        name for path in HERE.glob("benchmarks/**/*.py") for name in written.findall(path.read_text("utf-8"))
    }
    assert "games:play" in asked
    assert asked <= {name for name, _parts in walk(get_resolver())}
