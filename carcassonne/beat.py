"""What ticks: Celery's beat, of which two do no more than one.

Each entry of the schedule is queued by the first beat that comes by in its period, which leaves a flag in the
cache; it expires before the next period. So a second beat, started by mistake or to stand in, queues nothing
as long as the first one ticks, and everything from the next period on when that is gone. Without a cache both
queue, which does no harm: tasks are idempotent, and sweeps only look.
"""

import logging
from typing import Any

from celery.beat import PersistentScheduler
from django.core.cache import cache
from django.db import close_old_connections

FLAGGED = 0.8  # of the period: clocks differ, and beats come a little late

logger = logging.getLogger(__name__)


class OncePerPeriod(PersistentScheduler):
    """Celery's scheduler, which queues what no other has queued in this period."""

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        if self._is_first(entry):
            super().apply_entry(entry, producer=producer)
        else:
            logger.info("Another beat has queued %s", entry.name)

    @staticmethod
    def _is_first(entry: Any) -> bool:
        period = entry.schedule.run_every.total_seconds()
        try:
            return bool(cache.add(f"beat:{entry.name.replace(' ', '-')}", True, timeout=FLAGGED * period))
        except Exception as error:  # whatever ails the cache, the heart must go on
            logger.warning("The cache is away: %s", error)
            return True
        finally:
            close_old_connections()
