"""Tests that an expansion needs only its own files, with the example of ``docs/expansions.md``."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "expansions.md"
FOLDERS = ("games/words/expansions/", "games/drawing/expansions/", "games/bots/house/expansions/")
"""Folders whose files may import the module of an expansion."""
COPIED = (
    "accounts",
    "carcassonne",
    "core",
    "games",
    "leagues",
    "moderation",
    "ratings",
    "static",
    "templates",
    "tests",
    "manage.py",
    "pyproject.toml",
)


def test_only_the_files_of_expansions_import_their_modules() -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "games").rglob("*.py"))
        if re.search(r"rules\.modules|rules import .*\bmodules\b", path.read_text(encoding="utf-8"))
    ]
    elsewhere = [name for name in found if not name.startswith(("games/rules/", *FOLDERS))]
    assert elsewhere == [], "ask the state, or add a question to games/rules/module.py"


def files_of_the_page() -> dict[str, str]:
    """The files of the example, by path; continued blocks are one file."""
    found: dict[str, str] = {}
    blocks = re.findall(
        r"^`([\w./-]+)`(?:, continued)?:\n\n```\w+\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M
    )
    for path, text in blocks:
        found[path] = f"{found[path]}\n\n{text}" if path in found else text
    return found


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with the files of the page added, and their tiles drawn."""
    root = tmp_path_factory.mktemp("toll") / "carcassonne"
    root.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, root / name)
    (root / "locale").symlink_to(ROOT / "locale")
    for path, text in files_of_the_page().items():
        assert not (root / path).exists(), path
        (root / path).write_text(text, encoding="utf-8")
    run(root, "manage.py", "sprite", "toll")
    shutil.copy(ROOT / "tests" / "toll_roads.py", root / "tests" / "test_toll_roads.py")
    return root


def run(root: Path, *command: str) -> str:
    """Run Python with *command* in the copy at *root*; return its output."""
    done = subprocess.run([sys.executable, *command], cwd=root, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_has_a_file_for_each_part() -> None:
    assert set(files_of_the_page()) == {
        "games/rules/data/toll.toml",
        "games/rules/modules/toll.py",
        "games/words/expansions/toll.py",
        "games/drawing/expansions/toll.py",
        "games/pages/rulebook/expansions/toll.py",
        "templates/games/rules/toll.html",
        "tests/games/rules/test_toll.py",
    }


@pytest.mark.slow
def test_the_example_plays_is_worded_drawn_and_offered(copy: Path) -> None:
    own, site = "tests/games/rules/test_toll.py", "tests/test_toll_roads.py"
    run(
        copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", own, site, "tests/games/words/test_rule_sets.py"
    )
