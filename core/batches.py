"""Batches: tasks that do many rows, one of which may fail without stopping the others.

A row that fails is logged, and rests for longer and longer (``attempts.py``); outside of any task it is only
logged. Errors that no row can have caused stop the batch: those of a part of the site that is away.

Every batch is named in ``tests/core/test_batches.py``, which breaks a row of each.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from core import attempts, failures
from core.attempts import list_resting as list_resting_tasks
from core.attempts import note_progress
from core.connection_errors import find_missing_part
from core.models import FailedTask

__all__ = [
    "forget",
    "list_resting",
    "list_resting_tasks",
    "list_to_retry",
    "name_row",
    "note_progress",
    "raise_unless_of_row",
    "run_row",
    "run_rows",
]

Row = TypeVar("Row", bound=Model)

logger = logging.getLogger(__name__)


def run_row(unit: str, act: Callable[[], object], *, writes: bool = True) -> bool:
    """Run *act* for one *unit* of a batch, like ``game 7``, unless it rests. Return whether it was done.

    *act* is one transaction, or sends something outside of any. Within a transaction it gets a savepoint,
    unless it *writes* nothing, or by itself in transactions.
    """
    try:
        return attempts.run(unit, partial(_run_in_savepoint, act) if writes else act)
    except SoftTimeLimitExceeded as error:  # the others are done first next time
        with attempts.ignore_database_errors():
            _note(unit, error)
        raise
    except Exception as error:
        raise_unless_of_row(error)
        _note(unit, error)
        return False


def name_row(row: Model) -> str:
    """Return the name of *row* as a unit, like ``game 7``."""
    return f"{row._meta.model_name} {row.pk}"


def run_rows(
    rows: Sequence[Row],
    act: Callable[[Sequence[Row]], object],
    name: Callable[[Row], str] = name_row,
) -> int:
    """Run *act* for all *rows* together, in a transaction or savepoint; if that fails, for each by itself,
    read anew. Return the number of rows done; those that rest are left out."""
    known = attempts.list_units(resting=True) | attempts.list_units(resting=False)
    careful = attempts.must_go_one_by_one()
    alone = [row for row in rows if careful or name(row) in known]
    together = [row for row in rows if not (careful or name(row) in known)]
    if together:
        try:
            with transaction.atomic():
                act(together)
        except Exception as error:
            raise_unless_of_row(error)
            logger.warning("%s rows failed together: each is done by itself", len(together), exc_info=True)
            alone, together = list(rows), []
    return len(together) + sum(run_row(name(row), partial(_run_alone, row, act)) for row in alone)


def list_resting(kind: str) -> list[int]:
    """Return the keys of the rows of this *kind* that rest in the running task."""
    return attempts.parse_keys(attempts.list_units(resting=True), kind)


def list_to_retry(kind: str) -> list[str]:
    """Return the units of this *kind* that failed in earlier runs of this task, and are due again; one query.
    Batches that go through their rows once must ask for them."""
    task = attempts.get_task()
    if not task:
        return []
    due = FailedTask.objects.filter(task=task, until__lte=timezone.now(), arguments__startswith=f"{kind} ")
    return list(due.order_by("pk").values_list("arguments", flat=True))


def forget(unit: str) -> None:
    """Forget that *unit* has failed in the running task, as there is nothing left to do."""
    FailedTask.objects.filter(task=attempts.get_task(), arguments=unit).delete()


def raise_unless_of_row(error: Exception) -> None:
    """Raise *error* if no row can have caused it."""
    if find_missing_part(error) or isinstance(error, SoftTimeLimitExceeded):
        raise error


@transaction.atomic
def _run_alone(row: Row, act: Callable[[Sequence[Row]], object]) -> None:
    act([type(row)._base_manager.get(pk=row.pk)])  # without what was changed in memory


def _run_in_savepoint(act: Callable[[], object]) -> None:
    with transaction.atomic() if connection.in_atomic_block else nullcontext():
        act()


def _note(unit: str, error: Exception) -> None:
    logger.error("%s failed", unit, exc_info=error)
    task = attempts.get_task()
    if task:
        attempts.rest(unit)
        failures.note_work(task, unit, error, now=timezone.now(), rests=True)
