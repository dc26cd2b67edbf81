"""Tests that an expansion needs only its own files, with the example of ``docs/expansions.md``."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.drawing.expansions import TOKENS
from games.rules.ruleset import EXPANSIONS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "expansions.md"
FOLDERS = ("games/words/expansions/", "games/drawing/expansions/", "games/bots/house/expansions/")
"""Folders whose files may import the module of an expansion."""
CORE = ("games/words", "games/pages", "games/drawing", "games/forms", "templates/games")
"""Folders that name no expansion, but for their own ``expansions/`` and pages of rules."""
ORDINARY = {"count", "large"}
"""Names that are ordinary words, too. A capital, or quotes, tell that an expansion is meant."""
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
    faults = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "games").rglob("*.py"))
        if re.search(r"rules\.modules|rules import .*\bmodules\b", path.read_text(encoding="utf-8"))
    ]
    elsewhere = [name for name in faults if not name.startswith(("games/rules/", *FOLDERS))]
    assert elsewhere == [], "ask the state, or add a question to games/rules/module.py"


def names_of_expansions() -> set[str]:
    """The names of sets, and of the figures that they bring, those of no seat included."""
    figures = {figure for module in EXPANSIONS.values() for figure in module.figures}
    tokens = {token for of_set in TOKENS.values() for token in of_set}
    return {*EXPANSIONS, *figures, *tokens}


NAMED = re.compile(rf"\b(?:{'|'.join(names_of_expansions() - ORDINARY)})s?\b")
MEANT = re.compile("|".join(rf'\bthe {name.title()}\b|"{name}"' for name in ORDINARY))


def parts_of(path: Path) -> Iterator[tuple[int, str]]:
    """The identifiers, strings and comments of a module, or the lines of a template, with their numbers.
    Strings have their quotes, unless they are texts for readers."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from enumerate(text.replace('"', " ").splitlines(), start=1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.NAME, tokenize.STRING, tokenize.COMMENT):
            yield token.start[0], token.string.strip('"') if "gettext" in token.line else token.string


def names_expansion(text: str) -> bool:
    """Return whether *text* names a set or figure, in the singular or plural, in any spelling of an
    identifier."""
    words = re.sub(r"[\W_]+", "-", re.sub(r"(?<=[a-z])(?=[A-Z])", "-", text)).lower()
    return bool(NAMED.search(words) or MEANT.search(text))


@pytest.mark.parametrize(
    "text",
    [
        "# the abbot goes home",
        '"Return the abbot"',
        "king_and_robber",
        "BuilderArt",
        "PIGS",
        "the Count stands here",
        'file("count")',
        '"winter.monastery"',
    ],
)
def test_a_name_is_found(text: str) -> None:
    assert names_expansion(text)


@pytest.mark.parametrize(
    "text", ["count_seats", "a large board", "the count of tiles", "making", "rebuilder"]
)
def test_an_ordinary_word_is_no_name(text: str) -> None:
    assert not names_expansion(text)


def test_the_core_names_no_expansion() -> None:
    faults = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for folder in CORE
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".html")
        and not {"expansions", "rules"} & {*path.relative_to(ROOT / folder).parts[:-1]}
        for line, text in parts_of(path)
        if names_expansion(text)
    ]
    assert faults == [], "ask the set's own file, as docs/expansions.md shows"


def files_of_the_page() -> dict[str, str]:
    """The files of the example, by path; continued blocks are one file."""
    files: dict[str, str] = {}
    blocks = re.findall(
        r"^`([\w./-]+)`(?:, continued)?:\n\n```\w+\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M
    )
    for path, text in blocks:
        files[path] = f"{files[path]}\n\n{text}" if path in files else text
    return files


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
        "tests/games/rules/modules/test_toll.py",
    }


@pytest.mark.slow
def test_the_example_plays_is_worded_drawn_and_offered(copy: Path) -> None:
    own, site = "tests/games/rules/modules/test_toll.py", "tests/test_toll_roads.py"
    run(
        copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", own, site, "tests/games/words/test_rule_sets.py"
    )
