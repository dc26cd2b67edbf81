"""Tests that modules of tests hold tests alone: shared helpers are in conftest.py and ``*_helpers.py``."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


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
    found = {
        str(path.relative_to(TESTS)): names
        for path in sorted(TESTS.rglob("*.py"))
        if (names := list(find_imports_of_tests(path.read_text())))
    }
    assert found == {}


def test_what_drives_a_browser_is_imported_by_its_tests_alone() -> None:
    """Playwright is not there where `make test` runs."""
    others = [path for path in sorted(TESTS.rglob("*.py")) if "browser" not in path.parts]
    found = [path.name for path in others if "tests.browser" in _list_imports(path.read_text())]
    assert found == []


def _list_imports(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.startswith(("from ", "import ")))


def test_no_test_lets_playwright_evaluate_again_in_the_page() -> None:
    found = [
        path.name for path in (TESTS / "browser").rglob("*.py") if ".wait_for_function(" in path.read_text()
    ]
    assert found == [], "see tests/browser/polling_helpers.py"


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
