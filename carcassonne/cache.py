"""The Redis cache, for days on which Redis is away."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
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


LIMITS = ":allauth:rl:"
"""Stands in the keys of rate limits and of their locks."""
OWN = LocMemCache("limits", {})
NOWHERE = DummyCache("", {})


class ForgivingClient(RedisCacheClient):
    """A cache that can't be reached is empty and takes nothing; pages work, only slower.

    Rate limits hold all the same: meanwhile each process counts for itself. So *n* processes allow *n* times
    as much, but an outage lets nobody guess at will, and keeps nobody out.
    """

    def get(self, key: Any, default: Any) -> Any:
        return _unless_away(
            lambda: super(ForgivingClient, self).get(key, default), _instead(key).get, key, default
        )

    def get_many(self, keys: Any) -> dict[Any, Any]:
        return _unless_away(lambda: super(ForgivingClient, self).get_many(keys), NOWHERE.get_many, keys)

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        return _unless_away(
            lambda: super(ForgivingClient, self).add(key, value, timeout),
            _instead(key).add,
            key,
            value,
            timeout,
        )

    def set(self, key: Any, value: Any, timeout: Any) -> None:
        _unless_away(
            lambda: super(ForgivingClient, self).set(key, value, timeout),
            _instead(key).set,
            key,
            value,
            timeout,
        )

    def set_many(self, data: Any, timeout: Any) -> None:
        _unless_away(lambda: super(ForgivingClient, self).set_many(data, timeout), NOWHERE.set_many, data)

    def delete(self, key: Any) -> bool:
        return _unless_away(lambda: super(ForgivingClient, self).delete(key), _instead(key).delete, key)


def _instead(key: str) -> BaseCache:
    """Who answers for *key* while Redis is away."""
    return OWN if LIMITS in key else NOWHERE


def _unless_away(ask: Callable[[], Any], instead: Callable[..., Any], *args: Any) -> Any:
    """What *ask* gives, or what *instead* does and a line in the log if Redis can't be reached."""
    try:
        return ask()
    except (ConnectionError, TimeoutError) as error:
        logger.warning("The cache is away: %s", error)
        return instead(*args)


class ForgivingRedisCache(RedisCache):
    """Django's Redis cache with the client above; ``incr`` and ``touch`` still raise."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        params["OPTIONS"] = {**AT_ONCE, **params.get("OPTIONS", {})}
        super().__init__(server, params)
        self._class = ForgivingClient
