"""What ``.ci/run`` says of the tests is so."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_what_ci_leaves_out_on_postgresql_asks_no_database() -> None:
    """Without the marker pytest-django lets no test near one."""
    found = re.search(r"^no_database=\(([^)]*)\)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert found is not None
    command = f"printf '%s\\n' {' '.join(found[1].split())}"
    rooms = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    for room in rooms.stdout.split():
        path = ROOT / "tests" / room
        modules = [path] if path.is_file() else list(path.rglob("*.py"))
        assert modules, room
        for module in modules:
            assert not re.search(r"django_db|\b(transactional_)?db\b|live_server", module.read_text()), module


def test_make_test_needs_nothing_of_the_browser() -> None:
    """Where Playwright is not installed pytest leaves the browser tests out, but reads their conftest."""
    conftest = (ROOT / "tests" / "browser" / "conftest.py").read_text()
    assert not re.search(r"^(from|import) (playwright|tests\.browser)", conftest, re.MULTILINE)
