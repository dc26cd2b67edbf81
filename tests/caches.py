"""The cache of one test process: rate limits are counted in it."""

from django.conf import settings
from django.core.cache import cache


def clear_cache() -> None:
    """Delete what this process cached, and nothing else: `cache.clear()` is FLUSHDB, which empties the cache
    of all processes of the run."""
    if not settings.REDIS_URL:
        cache.clear()
        return
    import redis

    with redis.Redis.from_url(settings.REDIS_URL) as server:
        for key in server.scan_iter(f"{settings.CACHES['default']['KEY_PREFIX']}:*", count=1000):
            server.delete(key)
