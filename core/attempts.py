"""Counting of attempts at work that killed their worker or failed, and pausing of such work.

A worker that is killed, for its memory or by a fault in a library, can't report it. So a row is written when
a task begins (``TaskAttempt``), and deleted when the task ends, however it ends. A row that is found when the
same message comes again, or that is older than any task may be, belongs to a lost attempt.

Lost attempts are counted by work (``FailedTask.lost``): by task and arguments, or, in a task that does many
units in a row, by the unit that :func:`run` was called with. After each loss the work rests for longer; after
``LOST`` of them it is put aside for a day: it is listed among the failed tasks, and retried earlier only if
staff queue it. A success deletes the count.

Work that fails with an error is counted in the same rows (``failures.py``, and ``batches.py`` for units). It
rests, too, for about as long as it has failed, and after ``FAILED`` failures it is put aside.

Noting each of a thousand units would cost more than doing them. So units are noted only if the task itself
was lost before (it is then *careful*), and if an attempt at the unit was lost.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from core.models import FailedTask, TaskAttempt

LOST = 3
"""Number of lost attempts, with no success between them, after which work is put aside."""

FAILED = 10
"""Number of failures, with no success between them, after which work is put aside: four hours of them."""

ASIDE = timedelta(days=1)
ASIDE_AS_A_WHOLE = timedelta(hours=1)
"""Time for which a task without arguments, which does all work of its kind, is put aside."""

KEPT = timedelta(days=1)
"""Time after which unfinished attempts are deleted."""

WHOLE = "[]"
"""Arguments of such a task, as JSON."""

COUNTED = Q(until__isnull=False)
"""Filter for the rows of work that rests, or has rested; the others only tell of errors."""

logger = logging.getLogger(__name__)


class WorkPutAside(Exception):
    """Refusal of the work of *failed*, which rests or is put aside."""

    def __init__(self, failed: FailedTask) -> None:
        super().__init__(f"{failed} rests until {failed.until}")
        self.failed = failed


@dataclass
class _Running:
    """A task that runs in this thread."""

    task: str
    arguments: str
    message: str
    lost_before: bool
    looked_up: bool = False
    known: set[str] = field(default_factory=set)  # units that failed, and the deadly ones
    deadly: set[str] = field(default_factory=set)  # units with an attempt that was lost, or may be
    resting: set[str] = field(default_factory=set)  # units that are not tried now


_running = threading.local()


def begin(task: str, arguments: str, message: str, *, essential: bool = False) -> None:
    """Note that *task* begins for the message with this id. *essential* tasks never rest.

    :raises WorkPutAside: it has been lost too often
    """
    now = timezone.now()
    failed = _count_lost(task, arguments, message, now)
    if failed is not None and failed.rests(now) and not essential:
        raise WorkPutAside(failed)
    TaskAttempt.objects.create(task=task, arguments=arguments, message=message, begun=now)
    _stack().append(_Running(task, arguments, message, failed is not None))


def end(message: str, *, succeeded: bool) -> None:
    """Note that the task of this *message* has ended; does nothing if its beginning was not noted."""
    stack = _stack()
    if not stack or stack[-1].message != message:
        return
    running = stack.pop()
    _forget(running.task, running.arguments, message, lost=succeeded and running.lost_before)


def run(unit: str, act: Callable[[], object]) -> bool:
    """Run *act*, a *unit* of the running task, unless the unit rests. Return whether it ran.

    *unit* names it to staff, like ``game 7``. Outside of any task *act* runs without being noted.
    """
    running = _current()
    if running is None:
        act()
        return True
    looked = _look_up(running)
    if unit in looked.resting:
        return False
    if not (running.lost_before or unit in looked.known):
        act()
        return True
    now = timezone.now()
    failed = _count_lost(running.task, unit, running.message, now)
    if failed is not None and failed.rests(now):
        running.resting.add(unit)
        return False
    TaskAttempt.objects.create(task=running.task, arguments=unit, message=running.message, begun=now)
    note_progress()  # a worker that is lost now is lost by this unit
    succeeded = False
    try:
        act()
        succeeded = True
    finally:
        _forget(running.task, unit, running.message, lost=succeeded)
    return True


def note_progress() -> None:
    """Reset the count of the running task's lost attempts: it has come further this time."""
    running = _current()
    if running is not None and running.lost_before:
        FailedTask.objects.filter(task=running.task, arguments=running.arguments, lost__gt=0).delete()


def must_go_one_by_one() -> bool:
    """Return whether the running task must do its units one by one: it, or a unit that is due, was lost."""
    running = _current()
    if running is None:
        return False
    looked = _look_up(running)
    return running.lost_before or bool(looked.deadly - looked.resting)


def get_task() -> str:
    """Return the name of the running task; empty outside of any."""
    running = _current()
    return running.task if running is not None else ""


def rest(unit: str) -> None:
    """Let *unit* of the running task, which has just failed, rest until this task ends."""
    running = _current()
    if running is not None:
        _look_up(running).resting.add(unit)


def list_units(*, resting: bool) -> set[str]:
    """The units of the running task that failed or were lost: those that rest, or those due again."""
    running = _current()
    if running is None:
        return set()
    looked = _look_up(running)
    return set(looked.resting if resting else looked.known - looked.resting)


def parse_keys(names: Iterable[str], kind: str) -> list[int]:
    """The primary keys in the *names* of units of this *kind*.

    >>> parse_keys({"game 7", "season 3"}, "game")
    [7]
    """
    return sorted(int(name.split()[1]) for name in names if name.startswith(f"{kind} "))


def list_resting(task: str) -> list[int]:
    """The first arguments with which *task* rests, or is put aside."""
    rows = FailedTask.objects.filter(task=task, until__gt=timezone.now(), arguments__startswith="[")
    return [
        arguments[0] for arguments in map(json.loads, rows.values_list("arguments", flat=True)) if arguments
    ]


def select_put_aside(now: datetime) -> QuerySet[FailedTask]:
    """Return the work that was lost or failed too often, and is put aside *now*."""
    return FailedTask.objects.filter(Q(lost__gte=LOST) | Q(times__gte=FAILED), until__gt=now)


def lose(message: str, reason: str) -> None:
    """Count the attempt of this *message* as lost for *reason*: its worker died or hit the time limit."""
    now = timezone.now()
    attempts = list(TaskAttempt.objects.filter(message=message).order_by("-pk"))
    TaskAttempt.objects.filter(message=message).delete()
    for attempt in attempts[:1]:  # the unit in hand, if there was one
        _note_lost(attempt.task, attempt.arguments, 1, now, reason=reason)


def format_arguments(args: Sequence[Any], kwargs: Any, message: str) -> str:
    """Return the key of a task's work in ``FailedTask``: its arguments as JSON if they are numbers, else its
    message."""
    if kwargs or not has_only_numbers(args):
        return f"#{message}"
    arguments = json.dumps(list(args))
    return arguments if len(arguments) <= 200 else f"#{message}"


def has_only_numbers(value: Any) -> bool:
    """Return whether *value* holds only numbers, which can't be personal data."""
    if isinstance(value, list | tuple):
        return all(map(has_only_numbers, value))
    return value is None or isinstance(value, int | float)


@contextmanager
def ignore_database_errors() -> Iterator[None]:
    """Log database errors and go on: what needs the rows will fail by itself."""
    try:
        yield
    except DatabaseError as error:
        logger.warning("Attempts are not counted: %s", str(error).split("\n")[0])


def pause_after(arguments: str, lost: int) -> timedelta:
    """Return how long work rests after *lost* attempts. A whole task retries at once, carefully, after
    one."""
    if lost >= LOST:
        return ASIDE_AS_A_WHOLE if arguments == WHOLE else ASIDE
    if arguments == WHOLE and lost == 1:
        return timedelta()
    return timedelta(seconds=settings.SWEEP_SECONDS * 2 ** (lost - 1))


def pause_after_failures(arguments: str, times: int) -> timedelta:
    """Return how long work rests after so many failures in a row. What has no key is not a row, but a part of
    a task that all need: it is retried every few minutes."""
    if not any(map(str.isdigit, arguments)):
        return timedelta(seconds=settings.SWEEP_SECONDS * min(2 ** (times - 1), 8))
    return ASIDE if times >= FAILED else timedelta(seconds=settings.SWEEP_SECONDS * 2 ** (times - 1))


def _stack() -> list[_Running]:
    if not hasattr(_running, "stack"):
        _running.stack = []
    stack: list[_Running] = _running.stack
    return stack


def _current() -> _Running | None:
    stack = _stack()
    return stack[-1] if stack else None


def _look_up(running: _Running) -> _Running:
    """Return *running* after loading what is known of its units, once."""
    if not running.looked_up:
        now = timezone.now()
        failed = FailedTask.objects.filter(COUNTED, task=running.task).exclude(arguments__startswith="[")
        begun = TaskAttempt.objects.filter(task=running.task).exclude(arguments__startswith="[")
        running.deadly = {row.arguments for row in failed if row.lost}
        running.deadly.update(begun.values_list("arguments", flat=True))
        running.known = running.deadly | {row.arguments for row in failed}
        running.resting = {row.arguments for row in failed if row.rests(now)}
        running.looked_up = True
    return running


def _count_lost(task: str, arguments: str, message: str, now: datetime) -> FailedTask | None:
    """Count lost attempts at this work, and return its row if any attempt was lost or failed."""
    longest = timedelta(seconds=1.25 * settings.TASK_SECONDS)
    lost = [
        attempt.pk
        for attempt in TaskAttempt.objects.filter(task=task, arguments=arguments)
        if attempt.message == message or abs(now - attempt.begun) > longest
    ]
    if lost:
        number, _by_model = TaskAttempt.objects.filter(pk__in=lost).delete()
        if number:  # else another process has just counted them
            _note_lost(task, arguments, number, now)
    return FailedTask.objects.filter(COUNTED, task=task, arguments=arguments).first()


def _note_lost(task: str, arguments: str, number: int, now: datetime, *, reason: str = "") -> None:
    defaults = {"error": "", "times": 0, "first": now, "last": now}
    row, new = FailedTask.objects.get_or_create(task=task, arguments=arguments, defaults=defaults)
    lost = row.lost + number
    said = reason or f"WorkerLost: whoever began it was killed or did not end, {lost} times"
    counted = bool(reason) and not new  # as a failure
    FailedTask.objects.filter(pk=row.pk).update(
        error=said if lost < LOST else f"{said}; put aside",
        times=F("times") + (0 if counted else number),
        lost=F("lost") + number,
        last=now,
        until=now + pause_after(arguments, lost),
    )
    logger.error("%s %s: %s", task, arguments, said)
    TaskAttempt.objects.filter(begun__lt=now - KEPT).delete()


def _forget(task: str, arguments: str, message: str, *, lost: bool) -> None:
    with ignore_database_errors():
        TaskAttempt.objects.filter(task=task, arguments=arguments, message=message).delete()
        if lost:
            FailedTask.objects.filter(COUNTED, task=task, arguments=arguments).delete()
