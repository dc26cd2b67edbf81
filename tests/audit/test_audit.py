"""Tests that a package without an answer is not taken for a safe one."""

import json
from typing import Any

import pytest

from tests.audit.__main__ import FINE, HOLES, UNKNOWN, verdict

SAFE: dict[str, Any] = {"name": "django", "version": "5.2.19", "vulns": []}
HOLE: dict[str, Any] = {
    "name": "pillow",
    "version": "9.0.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["9.1"]}],
}
SILENT = {"name": "kombu", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("packages", "code"),
    [
        ([SAFE], FINE),
        ([SAFE, HOLE], HOLES),
        ([SAFE, SILENT], UNKNOWN),
        ([SILENT], UNKNOWN),
        ([HOLE, SILENT], HOLES),
        ([], UNKNOWN),
    ],
)
def test_all_is_well_only_if_all_are_answered_for(packages: list[dict[str, Any]], code: int) -> None:
    assert verdict(json.dumps({"dependencies": packages}), "")[0] == code


def test_a_hole_is_named_with_what_mends_it() -> None:
    _code, lines = verdict(json.dumps({"dependencies": [SAFE, HOLE]}), "")
    assert lines == ["Known holes:", "pillow 9.0.0: PYSEC-1, mended in 9.1"]


@pytest.mark.parametrize("report", ["", "not json", "{}"])
def test_no_report_is_no_good_answer(report: str) -> None:
    code, lines = verdict(report, "Traceback\nConnectionError: no such host\n")
    assert code == UNKNOWN and "no such host" in lines[0]
