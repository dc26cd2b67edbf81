"""Tests of the lists of tests in ``.ci/run``."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def list_rooms(name: str) -> list[Path]:
    """The folders and files of tests in the array *name* of ``.ci/run``."""
    found = re.search(rf"^{name}=\(([^)]*)\)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert found is not None
    command = f"printf '%s\\n' {' '.join(found[1].split())}"
    said = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    return [ROOT / "tests" / room for room in said.stdout.split()]


def test_what_ci_leaves_out_on_postgresql_asks_no_database() -> None:
    """Without the marker pytest-django lets no test near one."""
    for room in list_rooms("no_database"):
        modules = [room] if room.is_file() else list(room.rglob("*.py"))
        assert modules, room
        for module in modules:
            assert not re.search(r"django_db|\b(transactional_)?db\b|live_server", module.read_text()), module


def test_what_ci_leaves_out_on_sqlite_is_there_and_runs_on_postgresql() -> None:
    for room in list_rooms("either"):
        assert room.exists(), room
        left_out = list_rooms("no_database")
        assert not any(room == other or other in room.parents or room in other.parents for other in left_out)


def test_make_test_needs_nothing_of_the_browser() -> None:
    """The browser tests' conftest imports no Playwright: pytest reads it also where that is missing."""
    conftest = (ROOT / "tests" / "browser" / "conftest.py").read_text()
    assert not re.search(r"^(from|import) (playwright|tests\.browser)", conftest, re.MULTILINE)
