"""Redis cache that tolerates outages of Redis."""

import logging
import time
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
"""Part of the keys of rate limits and of their locks."""
OWN = LocMemCache("limits", {})
NOWHERE = DummyCache("", {})

PAUSE = 1.0
_away: dict[str, float] = {}
"""Time until which a server is not asked, in seconds of the monotonic clock, by server."""


class ForgivingClient(RedisCacheClient):
    """Cache client that acts as an empty cache while Redis can't be reached; pages work, only slower.

    Rate limits still hold: meanwhile each process counts for itself. So *n* processes allow *n* times as
    much, but an outage neither allows unlimited guesses nor locks anybody out.
    """

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **options)
        [self._server, *_replicas] = servers

    def get(self, key: Any, default: Any) -> Any:
        return self._unless_away(super().get, _instead(key).get, key, default)

    def get_many(self, keys: Any) -> dict[Any, Any]:
        values: dict[Any, Any] = self._unless_away(super().get_many, NOWHERE.get_many, keys)
        return values

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        return bool(self._unless_away(super().add, _instead(key).add, key, value, timeout))

    def set(self, key: Any, value: Any, timeout: Any) -> None:
        self._unless_away(super().set, _instead(key).set, key, value, timeout)

    def set_many(self, data: Any, timeout: Any) -> None:
        self._unless_away(super().set_many, NOWHERE.set_many, data, timeout)

    def delete(self, key: Any) -> bool:
        return bool(self._unless_away(super().delete, _instead(key).delete, key))

    def _unless_away(self, ask: Callable[..., Any], instead: Callable[..., Any], *args: Any) -> Any:
        """Return the result of *ask*; if Redis can't be reached, log that and return the result of *instead*.

        After a failure Redis is not called for :data:`PAUSE` seconds: an unreachable host delays each call.
        """
        if time.monotonic() < _away.get(self._server, 0.0):
            return instead(*args)
        try:
            return ask(*args)
        except (ConnectionError, TimeoutError) as error:
            _away[self._server] = time.monotonic() + PAUSE
            logger.warning("The cache is away: %s", error)
            return instead(*args)


def _instead(key: str) -> BaseCache:
    return OWN if LIMITS in key else NOWHERE


class ForgivingRedisCache(RedisCache):
    """Django's Redis cache with :class:`ForgivingClient`; ``incr`` and ``touch`` still raise."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        params["OPTIONS"] = {**AT_ONCE, **params.get("OPTIONS", {})}
        super().__init__(server, params)
        self._class = ForgivingClient
