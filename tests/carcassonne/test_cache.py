"""Tests that pages work while the cache is away."""

import logging
import os
import socket
import time
from collections.abc import Iterator

import pytest
from django.core.cache import DEFAULT_CACHE_ALIAS, cache, caches

from carcassonne.cache import ForgivingRedisCache


def test_a_cache_that_is_away_is_empty(caplog: pytest.LogCaptureFixture) -> None:
    away = ForgivingRedisCache("redis://127.0.0.1:1/0", {})
    with caplog.at_level(logging.WARNING):
        away.set("a", 1)
        assert away.get("a", "nothing") == "nothing"
        assert away.get_many(["a", "b"]) == {}
        assert away.add("a", 1) is True
        assert away.delete("a") is False
        away.set_many({"a": 1})
    assert caplog.text.count("The cache is away") == 1


@pytest.fixture
def deaf() -> Iterator[str]:
    """A Redis that accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as listening:
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"


def test_one_that_does_not_answer_is_waited_for_once_in_a_while(
    deaf: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cache = ForgivingRedisCache(deaf, {"OPTIONS": {"socket_timeout": 0.2, "retry": None}})
    monkeypatch.setattr("carcassonne.cache.PAUSE", 600.0)
    for _ in range(20):
        assert cache.get("a") is None
    assert caplog.text.count("The cache is away") == 1
    monkeypatch.setattr("carcassonne.cache.PAUSE", 0.0)
    monkeypatch.setattr("carcassonne.cache._away", {})
    for _ in range(3):
        cache.get("a")
    assert caplog.text.count("The cache is away") == 4


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="REDIS_URL is not set")
def test_it_is_used_again_when_the_moment_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    url = os.environ["REDIS_URL"]
    back = ForgivingRedisCache(url, {"KEY_PREFIX": f"test-{os.getpid()}"})
    monkeypatch.setattr("carcassonne.cache._away", {url: time.monotonic() + 0.2})
    back.set("b", 1, 5)
    assert back.get("b") is None
    time.sleep(0.25)
    back.set("b", 1, 5)
    assert back.get("b") == 1


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
