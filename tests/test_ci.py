"""Tests of what ``.ci/run`` leaves out: on PostgreSQL run tests of what a database decides, not all again."""

import re
from pathlib import Path

from tests.database_tests import (
    find_modules_below_the_orm,
    is_chosen_whole,
    is_decided_by_the_database,
    list_imports,
)
from tests.source_files import ROOT

THROUGH_OTHERS = {
    "core.migration_operations": "accounts/test_acts.py",  # the triggers that it makes
    "games.models.raw_sql": "permissions/test_permissions.py",
    "games.models.seat_loading": "permissions/test_permissions.py",
    "games.notices.fallback": "games/notices/test_fallback.py",
    "games.play.emergencies": "games/play/test_holidays.py",
    "games.pages.parts.chat": "permissions/test_permissions.py",
    "leagues.selectors.leagues": "permissions/test_permissions.py",
    "games.selectors.waiting": "games/views/test_my_games.py",
    "carcassonne.backups": "carcassonne/test_backups.py",
}
"""Modules that no test imports, with the tests that run them."""


def runs_on_postgresql(module: Path) -> bool:
    return is_chosen_whole(module) or "mark.slow" in module.read_text()


def test_whatever_goes_below_the_orm_is_tested_on_postgresql() -> None:
    chosen = [module for module in (ROOT / "tests").rglob("test_*.py") if runs_on_postgresql(module)]
    imported = frozenset().union(*map(list_imports, chosen))
    for name in find_modules_below_the_orm() - imported:
        assert name in THROUGH_OTHERS, f"no test of {name} runs on PostgreSQL: mark its module `database`"
        assert runs_on_postgresql(ROOT / "tests" / THROUGH_OTHERS[name]), name


def test_what_is_listed_is_below_the_orm() -> None:
    assert THROUGH_OTHERS.keys() <= find_modules_below_the_orm()


SAMPLE = """
import pytest
from django.db import IntegrityError, connection, transaction

def test_counts(): CaptureQueriesContext(connection)
def test_refuses():
    with pytest.raises(IntegrityError): pass
def refuse(): transaction.atomic()
def test_by_a_function(): refuse()
@pytest.mark.django_db(transaction=True)
def test_commits(): pass
class TestRaces:
    pytestmark = pytest.mark.django_db(transaction=True)
    def test_one(self): pass
"""


def test_what_a_database_decides_is_told_by_function(tmp_path: Path) -> None:
    module = tmp_path / "test_sample.py"
    module.write_text(SAMPLE)
    asked = [("", name) for name in ("test_counts", "test_refuses", "test_by_a_function", "test_commits")]
    decided = [is_decided_by_the_database(module, name, within) for within, name in asked]
    assert decided == [False, True, True, True]
    assert is_decided_by_the_database(module, "test_one", "TestRaces")


def test_make_test_needs_nothing_of_the_browser() -> None:
    """The browser tests' conftest imports no Playwright: pytest reads it also where that is missing."""
    conftest = (ROOT / "tests" / "browser" / "conftest.py").read_text()
    assert not re.search(r"^(from|import) (playwright|tests\.browser)", conftest, re.MULTILINE)


def test_no_test_empties_the_cache_of_the_others() -> None:
    """On Redis `cache.clear()` is FLUSHDB: the limits that another process counts began anew."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if path.name not in ("caches.py", Path(__file__).name):
            assert not re.search(r"\bcache\.clear\(\)", path.read_text()), f"{path}: ask tests.caches"
