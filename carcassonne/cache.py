"""The Redis cache, for days on which Redis is away."""

import logging
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, TimeoutError
from redis.retry import Retry

logger = logging.getLogger(__name__)

AT_ONCE: dict[str, Any] = {
    # A page is not worth waiting for: one try and no more.
    "socket_connect_timeout": 1,
    "socket_timeout": 2,
    "retry": Retry(NoBackoff(), 1),
}


class ForgivingClient(RedisCacheClient):
    """A cache that can't be reached is empty and takes nothing; pages work, only slower.

    Rate limits don't hold in that time either: a site without its cache is better than none.
    """

    def get(self, key: str, default: Any) -> Any:
        try:
            return super().get(key, default)
        except (ConnectionError, TimeoutError) as error:
            return _away(error, default)

    def get_many(self, keys: Any) -> dict[str, Any]:
        try:
            return super().get_many(keys)
        except (ConnectionError, TimeoutError) as error:
            return _away(error, {})

    def add(self, key: str, value: Any, timeout: int | None) -> bool:
        try:
            return bool(super().add(key, value, timeout))
        except (ConnectionError, TimeoutError) as error:
            return _away(error, True)

    def set(self, key: str, value: Any, timeout: int | None) -> None:
        try:
            super().set(key, value, timeout)
        except (ConnectionError, TimeoutError) as error:
            _away(error, None)

    def set_many(self, data: Any, timeout: int | None) -> None:
        try:
            super().set_many(data, timeout)
        except (ConnectionError, TimeoutError) as error:
            _away(error, None)

    def delete(self, key: str) -> bool:
        try:
            return bool(super().delete(key))
        except (ConnectionError, TimeoutError) as error:
            return _away(error, False)


def _away(error: Exception, answer: Any) -> Any:
    logger.warning("The cache is away: %s", error)
    return answer


class ForgivingRedisCache(RedisCache):
    """Django's Redis cache with the client above; ``incr`` and ``touch`` still raise."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        params["OPTIONS"] = {**AT_ONCE, **params.get("OPTIONS", {})}
        super().__init__(server, params)
        self._class = ForgivingClient
