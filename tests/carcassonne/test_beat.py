"""Tests of two beats: they queue no more than one, and either takes over from the other."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery.beat import Scheduler
from django.conf import settings
from django.core.cache import cache

from carcassonne import beat
from carcassonne.beat import OncePerPeriod
from carcassonne.celery import app
from tests.caches import clear_cache

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []

    def apply_entry(self: Any, entry: Any, producer: Any = None) -> None:
        names.append(entry.name)

    monkeypatch.setattr(Scheduler, "apply_entry", apply_entry)
    monkeypatch.setattr(beat, "close_old_connections", lambda: None)  # the test needs its own
    clear_cache()
    return names


@pytest.fixture
def another(tmp_path: Path) -> Callable[[], OncePerPeriod]:
    """A function that starts another beat, for which all entries are due."""
    started: list[OncePerPeriod] = []

    def start() -> OncePerPeriod:
        started.append(OncePerPeriod(app, schedule_filename=str(tmp_path / f"schedule {len(started)}")))
        return started[-1]

    return start


def everything(scheduler: OncePerPeriod) -> None:
    """Let all entries of the schedule be due."""
    assert set(scheduler.schedule) == set(settings.CELERY_BEAT_SCHEDULE), "nothing of Celery's own"
    for entry in scheduler.schedule.values():
        scheduler.apply_entry(entry)


def test_it_is_what_ticks() -> None:
    assert app.conf.beat_scheduler == "carcassonne.beat:OncePerPeriod"


def test_of_two_only_the_first_queues(queued: list[str], another: Any) -> None:
    one, other = another(), another()
    everything(one)
    assert sorted(queued) == sorted(settings.CELERY_BEAT_SCHEDULE)
    everything(other)
    everything(one)
    assert len(queued) == len(settings.CELERY_BEAT_SCHEDULE)


def test_in_the_next_period_whoever_is_left_goes_on(
    queued: list[str], another: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def add(key: str, value: object, timeout: float) -> bool:
        asked.append(timeout)
        return bool(cache.add(key, value, timeout))

    monkeypatch.setattr(beat, "cache", SimpleNamespace(add=add))
    everything(another())
    periods = [entry["schedule"].total_seconds() for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    assert all(flag < period for flag, period in zip(sorted(asked), sorted(periods), strict=True))
    clear_cache()  # as when the flags have expired
    everything(another())
    assert len(queued) == 2 * len(periods)


def test_without_a_cache_both_queue(queued: list[str], another: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> bool:
        raise RuntimeError("the table of the cache is gone")

    monkeypatch.setattr(beat, "cache", SimpleNamespace(add=fail))
    everything(another())
    everything(another())
    assert len(queued) == 2 * len(settings.CELERY_BEAT_SCHEDULE)


def test_when_the_clock_goes_back_all_is_queued_at_once(queued: list[str], another: Any) -> None:
    """Celery would wait until the old time has come again, and the flags in the cache with it."""
    scheduler = another()
    everything(scheduler)
    queued.clear()
    for entry in scheduler.schedule.values():
        entry.last_run_at = entry.default_now() + timedelta(hours=1)
    for _ in range(2 * len(scheduler.schedule)):
        scheduler.tick()
    assert sorted(queued) == sorted(settings.CELERY_BEAT_SCHEDULE)
    assert not scheduler._follow_clock()
