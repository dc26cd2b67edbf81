"""What every test may use."""

from importlib.util import find_spec

import pytest
from django.conf import settings

# The browser tests have requirements of their own; `make browser` brings them.
collect_ignore_glob = [] if find_spec("playwright") else ["browser/*"]


def pytest_report_header() -> list[str]:
    """Say what the tests run on, and what is left out."""
    engine = settings.DATABASES["default"]["ENGINE"]
    lines = [f"database: {engine}, broker and cache: {settings.REDIS_URL or 'embedded'}"]
    if collect_ignore_glob:
        lines.append("browser tests: left out, playwright is not installed (make browser)")
    return lines


@pytest.fixture(autouse=True)
def empty_cache(request: pytest.FixtureRequest) -> None:
    """A cache in the database is rolled back with it; in Redis, what an earlier test cached must go."""
    uses_rows = request.node.get_closest_marker("django_db") or "db" in request.fixturenames
    if settings.REDIS_URL and uses_rows:
        import redis

        with redis.Redis.from_url(settings.REDIS_URL) as server:
            for key in server.scan_iter(f"{settings.CACHES['default']['KEY_PREFIX']}:*", count=1000):
                server.delete(key)
