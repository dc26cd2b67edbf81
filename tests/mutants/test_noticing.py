"""Tests that mutants are noticed by the tests that run them, in a copy, with a time limit."""

from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="comes with what the checks need")

from tests.mutants import noticing
from tests.mutants.changes import modules
from tests.mutants.noticing import Laboratory, Record, copied

PROGRAM = """\
def half(number):
    return number // 2


def down(number):
    while number > 0:
        number = number - 1
    return number


def unused(number):
    return number * 2
"""
TESTS = """\
from games.program import down, half
from games.table import SIX


def test_half():
    assert half(SIX) == 3


def test_down():
    assert down(3) == 0
"""
SETTINGS = """\
[tool.pytest.ini_options]
addopts = "--strict-config"
pythonpath = ["."]
timeout = 60
[tool.coverage.run]
relative_files = true
"""
CHANGES = {"SIX = 2 / 3", "return number * 2", "return number - 2", "number = number + 1"}


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A project of one module, with the plugin that the runs load."""
    root = tmp_path / "project"
    for folder in ("games", "tests/games", "tests/mutants"):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").touch()
    (root / "tests/__init__.py").touch()
    (root / "tests/settings.py").write_text("SECRET_KEY = 'of nothing'")
    (root / "games/program.py").write_text(PROGRAM)
    (root / "games/table.py").write_text("SIX = 2 * 3\n")
    (root / "tests/games/test_program.py").write_text(TESTS)
    plugin = Path(noticing.__file__).with_name("plugin.py").read_text()
    (root / "tests/mutants/plugin.py").write_text(plugin.replace("LIMIT = 30", "LIMIT = 1"))
    (root / "pyproject.toml").write_text(SETTINGS)
    monkeypatch.setattr(noticing, "TESTS", ["tests/games"])
    monkeypatch.setattr(noticing, "LEFT_OUT", [])
    monkeypatch.setattr(noticing, "FIRST", 1)
    return root


@pytest.mark.slow
def test_tests_notice_what_they_run(project, tmp_path):
    copy = copied(project, tmp_path / "copy")
    record = Record(copy, tmp_path / "kept", workers="0")
    laboratory = Laboratory(copy, tmp_path / "chosen")
    outcomes = {}
    for module in modules(project, ["games"]):
        for mutant in (mutant for place in module.places() for mutant in place):
            change = mutant.told(module.source).partition("+ ")[2]
            if change in CHANGES:
                outcomes[mutant.line, change] = laboratory.ask(mutant, record.choose(mutant))
    told = {key: (outcome.by, outcome.tests) for key, outcome in outcomes.items()}
    half, down = "tests/games/test_program.py::test_half", "tests/games/test_program.py::test_down"
    assert told == {
        (1, "SIX = 2 / 3"): (half, 2),  # no line of its file runs in a test
        (2, "return number * 2"): (half, 2),
        (2, "return number - 2"): (half, 2),
        (7, "number = number + 1"): (down, 2),
        (12, "return number - 2"): (None, 2),
    }
    assert (project / "games/program.py").read_text() == PROGRAM == (copy / "games/program.py").read_text()
