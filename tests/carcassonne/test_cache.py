"""A cache that is away must not take the pages with it."""

import logging
import os
import time

import pytest
from django.core.cache import DEFAULT_CACHE_ALIAS, cache, caches

from carcassonne.cache import ForgivingRedisCache


def test_a_cache_that_is_away_is_empty(caplog: pytest.LogCaptureFixture) -> None:
    away = ForgivingRedisCache("redis://127.0.0.1:1/0", {})
    begun = time.monotonic()
    with caplog.at_level(logging.WARNING):
        away.set("a", 1)
        assert away.get("a", "nothing") == "nothing"
        assert away.get_many(["a", "b"]) == {}
        assert away.add("a", 1) is True
        assert away.delete("a") is False
        away.set_many({"a": 1})
    assert caplog.text.count("The cache is away") == 6
    assert time.monotonic() - begun < 1


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="REDIS_URL is not set")
def test_a_cache_that_is_there_remembers() -> None:
    there = ForgivingRedisCache(os.environ["REDIS_URL"], {"KEY_PREFIX": f"test-{os.getpid()}"})
    there.set("a", [1], 5)
    assert there.get("a") == [1]
    assert there.add("a", 2) is False
    assert there.delete("a") is True


def test_the_sites_cache_is_shared_by_all_processes() -> None:
    assert type(caches[DEFAULT_CACHE_ALIAS]).__name__ in {"DatabaseCache", "ForgivingRedisCache"}


@pytest.mark.django_db
def test_a_flood_of_visitors_pushes_no_rate_limit_out() -> None:
    counted = {f"visitor-{number}": number for number in range(400)}
    cache.set_many(counted, 300)
    assert cache.get_many(counted) == counted
