"""Calibration by month, compared with the results (RATE-7); changed months are counted anew as a whole."""

from __future__ import annotations

import time
from datetime import date
from functools import partial, reduce
from operator import add

from django.db.models import F

from core import batches
from ratings import rows
from ratings.models import CalibrationMonth, Pool
from ratings.skill import Calibration


def count_months(*, seconds: float) -> bool:
    """Recount the months whose duels have changed, for about so many *seconds*. Return whether all are."""
    stop = time.monotonic() + seconds
    waiting = CalibrationMonth.objects.filter(changed__gt=F("counted")).order_by("month")
    for month, changed in waiting.values_list("month", "changed"):
        if time.monotonic() > stop:
            return False
        batches.run_row(f"month {month}", partial(_recount, month, changed))
    return True


def _recount(month: date, changed: int) -> None:
    sums = _count(month).to_json()
    # Whatever changes meanwhile has a higher number. Who was overtaken by another worker writes nothing.
    CalibrationMonth.objects.filter(month=month, counted__lt=changed).update(sums=sums, counted=changed)


def load_calibration() -> Calibration:
    """The sum of all months; one query."""
    return reduce(add, (row.calibration for row in CalibrationMonth.objects.all()), Calibration())


def _count(month: date) -> Calibration:
    counted = Calibration()
    for outcome in rows.iterate_outcomes(Pool.DUEL, month):
        counted = counted.after(outcome.played.players, outcome.changes)
    return counted
