"""Fixtures of all tests."""

import random
from collections.abc import Iterator
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.cache import cache, caches
from django.utils import translation

# The browser tests have requirements of their own; `make browser` brings them.
collect_ignore_glob = [] if find_spec("playwright") else ["browser/*"]


def pytest_report_header() -> list[str]:
    """Report the database, broker and cache in use, and tests that are left out."""
    engine = settings.DATABASES["default"]["ENGINE"]
    lines = [f"database: {engine}, broker and cache: {settings.REDIS_URL or 'embedded'}"]
    if collect_ignore_glob:
        lines.append("browser tests: left out, playwright is not installed (make browser)")
    return lines


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
        import redis

        with redis.Redis.from_url(settings.REDIS_URL) as server:
            for key in server.scan_iter(f"{settings.CACHES['default']['KEY_PREFIX']}:*", count=1000):
                server.delete(key)
    elif names & {"transactional_db", "live_server"} or (marker and marker.kwargs.get("transaction")):
        request.getfixturevalue("transactional_db")
        cache.clear()
