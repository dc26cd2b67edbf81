"""Tests that every kind of process takes time zones from the pinned data alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zoneinfo
from importlib.resources import files
from pathlib import Path

import pytest
from django.core import checks

from carcassonne.checks import check_time_zones
from carcassonne.doctor import the_time_zones
from core.time_zones import (
    find_place,
    get_data_version,
    list_aliases,
    list_places,
    list_zones,
    load_zone,
    use_pinned_data,
)
from tests.games.factories import make_player

ROOT = Path(__file__).parents[2]
TELL_OFFSETS = """
import json
from datetime import datetime
from zoneinfo import ZoneInfo
DAYS = datetime(2026, 12, 1, 12), datetime(2027, 7, 1, 12)
zones = {name: ZoneInfo(name) for name in %r}
told = {name: [day.replace(tzinfo=zone).isoformat() for day in DAYS] for name, zone in zones.items()}
print(json.dumps(told))
"""
STARTS = {
    "web": "import carcassonne.asgi",
    "worker and beat": "from celery.bin.base import CLIContext; import celery.app.utils as found;"
    "found.find_app('carcassonne').loader.import_default_modules()",
    "worker at home": "import carcassonne.local.worker",
    "commands and receiver": "import contextlib, io, manage, sys; sys.argv = ['manage.py', 'check']\n"
    "with contextlib.redirect_stdout(io.StringIO()): manage.main()",
    "tests": "import tests.settings",
}
"""How each kind of process begins."""


@pytest.fixture
def wrong_system(tmp_path: Path) -> Path:
    """Data of a system that has every zone, and all of them wrong."""
    wrong = files("tzdata.zoneinfo").joinpath("Pacific/Marquesas").read_bytes()
    for name in list_zones():
        file = tmp_path / "zoneinfo" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(wrong)
    return tmp_path


def test_every_kind_of_process_has_the_pinned_data(wrong_system: Path) -> None:
    offered = ["UTC", *list_places()]
    tell = TELL_OFFSETS % (offered,)
    told = {
        kind: _start_python(f"{start}\n{tell}", wrong_system, str(wrong_system / "zoneinfo"))
        for kind, start in STARTS.items()
    }
    pinned = json.loads(_start_python(tell, wrong_system, "").communicate()[0])
    assert len(pinned) == len(offered) > 400
    for kind, process in told.items():
        answer, errors = process.communicate()
        assert process.returncode == 0, f"{kind}: {errors}"
        versions = json.loads(answer.splitlines()[-1])
        assert {name for name in offered if versions[name] != pinned[name]} == set(), kind


def _start_python(code: str, data: Path, zones: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONTZPATH": zones, "DATA_DIR": str(data / "var")}
    env.pop("DJANGO_SETTINGS_MODULE", None)
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.django_db
def test_a_process_with_other_data_is_told(wrong_system: Path) -> None:
    assert check_time_zones() == [] and [zone.well for zone in the_time_zones(1)] == [True]
    zoneinfo.reset_tzpath([str(wrong_system / "zoneinfo")])
    try:
        assert [check.id for check in checks.run_checks() if check.id == "carcassonne.E002"] == [
            "carcassonne.E002"
        ]
        assert [zone.well for zone in the_time_zones(1)] == [False]
    finally:
        use_pinned_data()


@pytest.mark.django_db
def test_the_doctor_names_the_data_and_counts_lost_zones() -> None:
    make_player("Anna", time_zone="US/Pacific-New")
    data, lost = the_time_zones(1)
    assert get_data_version() in data.seen and lost.seen.startswith("gone for 1 ")


def test_each_place_is_offered_once_and_its_other_names_are_known() -> None:
    places, aliases = set(list_places()), list_aliases()
    assert len(places) == len(list_places()) and places <= list_zones()
    assert not places & set(aliases) and set(aliases.values()) <= places
    reported = {
        "Asia/Istanbul": "Europe/Istanbul",
        "Asia/Calcutta": "Asia/Kolkata",
        "Europe/Kiev": "Europe/Kyiv",
    }
    assert {name: find_place(name) for name in reported} == reported
    assert find_place("Europe/Oslo") == "Europe/Oslo"  # a link, and a place


def test_a_zone_that_is_gone_or_no_place_is_utc() -> None:
    for name in ("US/Pacific-New", "localtime", "Factory", "posixrules", "", "../etc/passwd", "\0"):
        assert load_zone(name).key == "UTC", name
