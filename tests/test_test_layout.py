"""Tests that modules of tests stand beside what they test and are called after it, and hold tests alone:
shared helpers are in conftest.py and ``*_helpers.py``."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.source_files import PACKAGES, ROOT

TESTS = Path(__file__).parent

PROGRAMS = {"audit", "fuzz", "golden", "mutants", "permissions"}
"""Folders whose tests are about programs and tables that stand beside them."""

SUBJECTS = {
    "accessibility",
    "address_confirmation",
    "base_examples",
    "compression",
    "conformance",
    "docstrings",
    "double_clicks",
    "false_positives",
    "faq_examples",
    "hidden_hands",
    "imports",
    "page_weight",
    "passkeys",
    "privacy",
    "properties",
    "races",
    "random_walks",
    "requirements",
    "scripts",
    "slow_clients",
    "style_sheets",
    "whole_game",
    "whole_games",
}
"""What tests of a whole package, or of several, are about."""

SUBJECTS_OF_ALL_PACKAGES = {
    "ci",
    "docs",
    "docstrings",
    "doctests",
    "expansions",
    "hostile_texts",
    "link_previews",
    "notice_limits",
    "page_parsing",
    "regular_expressions",
    "rooms",
    "security_page",
    "test_layout",
    "text_fields",
    "typed_names",
    "words",
}


@cache
def list_names(folder: Path, *, deep: bool) -> frozenset[str]:
    """The names of *folder*, and of the modules, packages, templates, scripts and styles in it."""
    paths = folder.rglob("*") if deep else folder.glob("*")
    return frozenset(
        path.stem.lstrip("_")
        for path in [folder, *paths]
        if path.suffix in {"", ".py", ".html", ".js", ".css", ".sql", ".csv"}
        and not path.stem.startswith("test_")
    )


def list_possible_names(module: Path) -> frozenset[str]:
    """The names after which the tests in *module*, relative to ``tests/``, may be called."""
    folder, (package, *_) = module.parent, module.parts
    if package == "browser":
        rooms = [*PACKAGES, "static", "templates"]
        return list_names(TESTS / folder, deep=False).union(
            *(list_names(ROOT / room, deep=True) for room in rooms)
        )
    if package in PROGRAMS:
        return list_names(TESTS / folder, deep=False) | list_names(ROOT / "games" / "inbox", deep=False)
    names = list_names(ROOT / folder, deep=False)
    if folder.name == "views":  # pages of what the whole application does
        names |= list_names(ROOT / package, deep=True) | list_names(ROOT / "templates" / package, deep=True)
    elif folder.name == "management":
        names |= list_names(ROOT / folder / "commands", deep=False)
    elif folder.name == "carcassonne":
        names |= {"templates"}
    return names


def is_named_after(name: str, names: frozenset[str]) -> bool:
    """Whether *name* is one of *names*, or begins with one: ``turns``, ``turns_full_disk``."""
    return any(name == other or name.startswith(f"{other}_") for other in names)


def find_faults_of_place(module: Path) -> Iterator[str]:
    """Yield what is wrong with the place and the name of *module*, relative to ``tests/``."""
    name = module.stem.removeprefix("test_")
    if module.parent == Path():
        if name not in SUBJECTS_OF_ALL_PACKAGES:
            yield f"{module}: belongs to a package"
    elif module.parts[0] not in {"browser", *PROGRAMS} and not any((ROOT / module.parent).glob("*.*")):
        yield f"{module}: there is no folder {module.parent} to be tested"
    elif not is_named_after(name, list_possible_names(module) | SUBJECTS):
        yield f"{module}: is called after nothing that it could test"


def test_modules_stand_beside_what_they_test_and_are_called_after_it() -> None:
    modules = sorted(path.relative_to(TESTS) for path in TESTS.rglob("test_*.py"))
    assert [fault for module in modules for fault in find_faults_of_place(module)] == []


def test_no_subject_is_left_of_a_module_that_has_gone() -> None:
    names = {path.stem.removeprefix("test_") for path in TESTS.rglob("test_*.py")}
    assert sorted((SUBJECTS | SUBJECTS_OF_ALL_PACKAGES) - names) == []


@pytest.mark.parametrize(
    "module",
    [
        "test_doors.py",
        "games/play/test_away.py",
        "games/play/test_turnstiles.py",
        "carcassonne/test_attempts.py",
        "moderation/conduct/test_reports.py",
    ],
)
def test_a_name_or_place_of_its_own_is_found(module: str) -> None:
    assert len(list(find_faults_of_place(Path(module)))) == 1


@pytest.mark.parametrize(
    "module",
    [
        "games/play/test_turns.py",
        "games/play/test_turns_full_disk.py",
        "games/management/test_read_reply.py",
        "games/views/test_paging.py",
        "games/clocks/test_conformance.py",
    ],
)
def test_names_of_modules_commands_and_subjects_are_fine(module: str) -> None:
    assert list(find_faults_of_place(Path(module))) == []


def find_imports_of_tests(text: str) -> Iterator[str]:
    """Yield each name by which the module of this *text* imports a module of tests, or a test."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module or ''}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if any(part.startswith("test_") for part in name.split(".")))


def test_no_module_imports_from_a_module_of_tests() -> None:
    imports = {
        str(path.relative_to(TESTS)): names
        for path in sorted(TESTS.rglob("*.py"))
        if (names := list(find_imports_of_tests(path.read_text())))
    }
    assert imports == {}


def test_what_drives_a_browser_is_imported_by_its_tests_alone() -> None:
    """Playwright is not there where `make test` runs."""
    others = [path for path in sorted(TESTS.rglob("*.py")) if "browser" not in path.parts]
    names = [path.name for path in others if "tests.browser" in _list_imports(path.read_text())]
    assert names == []


def _list_imports(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.startswith(("from ", "import ")))


def test_no_test_lets_playwright_evaluate_again_in_the_page() -> None:
    names = [
        path.name for path in (TESTS / "browser").rglob("*.py") if ".wait_for_function(" in path.read_text()
    ]
    assert names == [], "see tests/browser/polling_helpers.py"


@pytest.mark.parametrize(
    "line",
    [
        "import tests.leagues.test_seasons",
        "from tests.leagues.test_seasons import BEGINS",
        "from tests.leagues import test_seasons as seasons",
        "from .test_seasons import BEGINS",
        "from . import test_seasons",
        "def begin():\n    from .test_seasons import BEGINS",
    ],
)
def test_every_form_of_such_an_import_is_found(line: str) -> None:
    assert len(list(find_imports_of_tests(line))) == 1


def test_helpers_may_be_imported() -> None:
    assert (
        list(find_imports_of_tests("from django.test import Client\nfrom .season_helpers import BEGINS"))
        == []
    )
