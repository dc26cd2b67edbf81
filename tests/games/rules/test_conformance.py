"""Tests of the records under ``tests/conformance`` against their expected results."""

from __future__ import annotations

import filecmp
from pathlib import Path

import pytest

from games.rules.records import record
from tests.cases import for_each

ROOT = Path(__file__).parents[3]
RECORDS = ROOT / "tests" / "conformance"
SHARED = ROOT.parent / "shared"


@for_each("path", sorted(RECORDS.rglob("*.json")))
def test_record_replays_to_what_it_expects(path: Path) -> None:
    read = record.loads(path.read_text())
    assert record.find_differences(read, record.replay(read)) == []


def test_there_are_records_to_replay() -> None:
    assert len(list((RECORDS / "basic").glob("*.json"))) == 4
    assert len(list(RECORDS.rglob("*.json"))) == 21


@pytest.mark.skipif(
    not SHARED.is_dir(), reason="the specification lies beside the project only where it is built"
)
@pytest.mark.parametrize(
    ("copy", "original"),
    [
        (RECORDS, SHARED / "conformance"),
        (ROOT / "games" / "rules" / "data", SHARED / "catalogue"),
        (ROOT / "docs" / "rules", SHARED / "rules"),
    ],
    ids=["records", "tiles", "rules"],
)
def test_copies_equal_the_specification(copy: Path, original: Path) -> None:
    names = [str(path.relative_to(copy)) for path in copy.rglob("*.*") if path.is_file()]
    assert names
    _, different, missing = filecmp.cmpfiles(copy, original, names, shallow=False)
    assert (different, missing) == ([], [])
