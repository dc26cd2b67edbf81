"""Celery beat that may run twice.

Each entry of the schedule is queued by the first beat that reaches it in its period, which sets a flag in the
cache; the flag expires before the next period. So a second beat, started by mistake or as a standby, queues
nothing while the first one runs, and takes over in the next period when that is gone. Without a cache both
queue, which does no harm: tasks are idempotent, and sweeps only look.

Celery's scheduler follows the wall clock: after that was set back an hour, it would queue nothing for an
hour.
"""

import logging
from datetime import timedelta
from typing import Any

from celery.beat import PersistentScheduler
from django.core.cache import cache
from django.db import close_old_connections

FLAGGED = 0.8  # of the period: clocks differ, and beats come a little late

SKEW = timedelta(minutes=1)

logger = logging.getLogger(__name__)


class OncePerPeriod(PersistentScheduler):
    """Celery's scheduler, which skips entries that another beat has queued in this period."""

    def tick(self, *args: Any, **options: Any) -> Any:
        """Reset the heap of due times if the clock was set back."""
        if self._follow_clock():
            self._heap = None  # ordered by times in the far future
        return super().tick(*args, **options)

    def _follow_clock(self) -> bool:
        """Make entries due whose last run lies in the future. Return whether there were any."""
        entries: list[Any] = list(self.schedule.values())
        ahead = [entry for entry in entries if entry.last_run_at > entry.default_now() + SKEW]
        for entry in ahead:
            entry.last_run_at = entry.default_now() - entry.schedule.run_every
        if ahead:
            logger.error("The clock went back: %s", ", ".join(entry.name for entry in ahead))
            _lower_flags(ahead)
        return bool(ahead)

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        if self._is_first(entry):
            super().apply_entry(entry, producer=producer)
        else:
            logger.info("Another beat has queued %s", entry.name)

    @staticmethod
    def _is_first(entry: Any) -> bool:
        period = entry.schedule.run_every.total_seconds()
        try:
            return bool(cache.add(_flag(entry), True, timeout=FLAGGED * period))
        except Exception as error:  # a fault of the cache must not stop the heartbeat
            logger.warning("The cache is away: %s", error)
            return True
        finally:
            close_old_connections()


def _flag(entry: Any) -> str:
    """The cache key that says that *entry* was queued in this period."""
    return f"beat:{entry.name.replace(' ', '-')}"


def _lower_flags(entries: list[Any]) -> None:
    """Delete the flags of *entries*, which would stay for as long as the clock was set back."""
    try:
        cache.delete_many([_flag(entry) for entry in entries])
    except Exception as error:
        logger.warning("The cache is away: %s", error)
    finally:
        close_old_connections()
