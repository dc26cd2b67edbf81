"""Fixtures of all tests."""

import random
import uuid
from collections.abc import Iterator
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.cache import caches
from django.test.utils import setup_databases, teardown_databases
from django.utils import translation
from pytest_django.plugin import DjangoDbBlocker, blocking_manager_key

from tests.caches import clear_cache
from tests.database_tests import is_decided_by_the_database
from tests.databases import (
    copy_migrated_database,
    drop_migrated_database,
    empty_tables_by_delete,
)

# The browser tests have requirements of their own; `make browser` brings them.
collect_ignore_glob = [] if find_spec("playwright") else ["browser/*"]


def pytest_report_header() -> list[str]:
    """Report the database, broker and cache in use, and tests that are left out."""
    engine = settings.DATABASES["default"]["ENGINE"]
    lines = [f"database: {engine}, broker and cache: {settings.REDIS_URL or 'embedded'}"]
    if collect_ignore_glob:
        lines.append("browser tests: left out, playwright is not installed (make browser)")
    return lines


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Name the run, so that its workers and its end know the database that they share."""
    if hasattr(config.option, "testrunuid") and config.option.testrunuid is None:
        config.option.testrunuid = uuid.uuid4().hex


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark tests that run on PostgreSQL, too; put slow ones first, so that no worker ends with one alone."""
    for item in items:
        within = item.cls.__name__ if getattr(item, "cls", None) else ""
        if is_decided_by_the_database(item.path, getattr(item, "originalname", item.name), within):
            item.add_marker(pytest.mark.database)
    yield
    items.sort(key=_order)


def _order(item: pytest.Item) -> tuple[bool, bool, bool]:
    """Sort tests that commit after others, as emptied tables have no roles any more, and those in a browser
    last, as Playwright leaves an event loop in this thread."""
    marked = item.get_closest_marker
    return marked("browser") is not None, _commits(item), marked("slow") is None


def _commits(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    fixtures = {"transactional_db", "live_server"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures or (marker and marker.kwargs.get("transaction")))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.pluginmanager.has_plugin("dsession"):
        with session.config.stash[blocking_manager_key].unblock():
            drop_migrated_database(session.config.option.testrunuid)


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Make the database: a process alone migrates it, workers copy one that is migrated once."""
    workers = getattr(request.config, "workerinput", None)
    with django_db_blocker.unblock():
        if workers:
            with copy_migrated_database(workers["testrunuid"], workers["workerid"]):
                empty_tables_by_delete()
                yield
        else:
            made = setup_databases(verbosity=0, interactive=False, serialized_aliases=set())
            empty_tables_by_delete()
            yield
            teardown_databases(made, verbosity=0)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Activate English, whatever an earlier test has activated."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def repeatable_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed codes, towns and bags of games by the test's name, so that no rare draw fails a test."""
    chance = random.Random(request.node.nodeid)
    for module in ("games.models.game", "games.tables.setup", "games.play.bag"):
        draws = SimpleNamespace(choice=chance.choice, token_bytes=chance.randbytes)
        monkeypatch.setattr(f"{module}.secrets", draws)


@pytest.fixture(autouse=True)
def empty_cache(request: pytest.FixtureRequest) -> None:
    """Clear what an earlier test cached, unless its rollback did: rate limits are counted in the cache."""
    if not settings.REDIS_URL:
        caches["searches"].clear()  # in memory
        caches["flags"].clear()  # in files
    marker = request.node.get_closest_marker("django_db")
    names = set(request.fixturenames)
    if settings.REDIS_URL and (marker or "db" in names):
        clear_cache()
    elif _commits(request.node):
        request.getfixturevalue("transactional_db")
        clear_cache()
