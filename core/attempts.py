"""Attempts at work that killed whoever did it, how often, and what is put aside for that.

A worker that is killed, for its memory or by a fault in a library, can't say so. So a task is noted when it
begins (``TaskAttempt``), and the note goes when the task ends, however it ends. A note that is found when the
same message comes again, or that is older than any task may be, is of an attempt that was lost.

Lost attempts are counted by what was to be done (``FailedTask.lost``): by task and arguments, or, in a task
that does much in a row, by the unit in hand, which :func:`run` is told. After each the work rests for longer,
after ``LOST`` of them it is put aside for a day: it stands among the failed tasks, and is tried again before
only if somebody of the staff says so. A success forgets all of it.

Noting each of a thousand units would cost more than doing them. So units are noted only where the task itself
was lost before (it is then *careful*), and those of which an attempt was lost.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F
from django.utils import timezone

from core.models import FailedTask, TaskAttempt

LOST = 3
"""Number of lost attempts, with no success between them, after which work is put aside."""

ASIDE = timedelta(days=1)
ASIDE_AS_A_WHOLE = timedelta(hours=1)
"""Time for which a task without arguments, which does all work of its kind, is put aside."""

KEPT = timedelta(days=1)
"""Time after which unfinished attempts are deleted."""

WHOLE = "[]"
"""Arguments of such a task, as JSON."""

logger = logging.getLogger(__name__)


class WorkPutAside(Exception):
    """The work of *failed* rests, or is put aside."""

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
    known: set[str] = field(default_factory=set)  # units with an attempt that was lost, or may be
    resting: set[str] = field(default_factory=set)  # units that are not tried now


_running = threading.local()


def begin(task: str, arguments: str, message: str, *, essential: bool = False) -> None:
    """Note that *task* begins, as the message with this id asks; *essential* is what never rests.

    :raises PutAside: it has been lost too often
    """
    now = timezone.now()
    failed = _count_lost(task, arguments, message, now)
    if failed is not None and failed.rests(now) and not essential:
        raise WorkPutAside(failed)
    TaskAttempt.objects.create(task=task, arguments=arguments, message=message, begun=now)
    _stack().append(_Running(task, arguments, message, failed is not None))


def end(message: str, *, succeeded: bool) -> None:
    """Note that the task of this *message* has ended; nothing, if it was not noted that it began."""
    stack = _stack()
    if not stack or stack[-1].message != message:
        return
    running = stack.pop()
    _forget(running.task, running.arguments, message, lost=succeeded and running.lost_before)


def run(unit: str, act: Callable[[], object]) -> bool:
    """Do *act*, which is the *unit* of the task that runs; not if it rests. Answers whether it was done.

    *unit* names it to the staff, like ``game 7``. Outside of any task it is just done.
    """
    running = _current()
    if running is None or not (running.lost_before or unit in _look_up(running).known):
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
    """Count no attempts of the running task any more that were lost before: it has come further now."""
    running = _current()
    if running is not None and running.lost_before:
        FailedTask.objects.filter(task=running.task, arguments=running.arguments, lost__gt=0).delete()


def must_go_one_by_one() -> bool:
    """Return whether the running task must do its units one by one: it was lost, or one of them that is
    due."""
    running = _current()
    if running is None:
        return False
    looked = _look_up(running)
    return running.lost_before or bool(looked.known - looked.resting)


def list_units(*, resting: bool) -> set[str]:
    """The units of the running task of which attempts were lost: those that rest, or those due again."""
    running = _current()
    if running is None:
        return set()
    looked = _look_up(running)
    return set(looked.resting if resting else looked.known - looked.resting)


def parse_keys(names: set[str], kind: str) -> list[int]:
    """The primary keys in the *names* of units of this *kind*.

    >>> parse_keys({"game 7", "season 3"}, "game")
    [7]
    """
    return sorted(int(name.split()[1]) for name in names if name.startswith(f"{kind} "))


def list_resting(task: str) -> list[int]:
    """The first arguments with which *task* rests, or is put aside."""
    rows = FailedTask.objects.filter(
        task=task, lost__gt=0, until__gt=timezone.now(), arguments__startswith="["
    )
    return [found[0] for found in map(json.loads, rows.values_list("arguments", flat=True)) if found]


def lose(message: str, reason: str) -> None:
    """Count what is noted as begun by this *message* as lost: its worker is known to have died, or to have
    been stopped at the time limit, and the task to have failed for this *reason*."""
    now = timezone.now()
    attempts = list(TaskAttempt.objects.filter(message=message).order_by("-pk"))
    TaskAttempt.objects.filter(message=message).delete()
    for attempt in attempts[:1]:  # the unit in hand, if there was one
        _note_lost(attempt.task, attempt.arguments, 1, now, reason=reason)


def format_arguments(args: Sequence[Any], kwargs: Any, message: str) -> str:
    """Name what a task is to do, as FailedTask keeps it: its arguments, if they are numbers, else its
    message."""
    if kwargs or not has_only_numbers(args):
        return f"#{message}"
    arguments = json.dumps(list(args))
    return arguments if len(arguments) <= 200 else f"#{message}"


def has_only_numbers(value: Any) -> bool:
    """Return whether nothing in *value* could be personal."""
    if isinstance(value, list | tuple):
        return all(map(has_only_numbers, value))
    return value is None or isinstance(value, int | float)


@contextmanager
def ignore_database_errors() -> Iterator[None]:
    """Go on where notes can't be written: what needs the rows will fail by itself."""
    try:
        yield
    except DatabaseError as error:
        logger.warning("Attempts are not counted: %s", str(error).split("\n")[0])


def pause_after(arguments: str, lost: int) -> timedelta:
    """Return how long work rests after so many lost attempts. A whole task may go on at once, if careful."""
    if lost >= LOST:
        return ASIDE_AS_A_WHOLE if arguments == WHOLE else ASIDE
    if arguments == WHOLE and lost == 1:
        return timedelta()
    return timedelta(seconds=settings.SWEEP_SECONDS * 2 ** (lost - 1))


def _stack() -> list[_Running]:
    if not hasattr(_running, "stack"):
        _running.stack = []
    stack: list[_Running] = _running.stack
    return stack


def _current() -> _Running | None:
    stack = _stack()
    return stack[-1] if stack else None


def _look_up(running: _Running) -> _Running:
    """*running*, with what is known of its units; read once."""
    if not running.looked_up:
        now = timezone.now()
        failed = FailedTask.objects.filter(task=running.task, lost__gt=0).exclude(arguments__startswith="[")
        begun = TaskAttempt.objects.filter(task=running.task).exclude(arguments__startswith="[")
        running.known = {row.arguments for row in failed} | set(begun.values_list("arguments", flat=True))
        running.resting = {row.arguments for row in failed if row.rests(now)}
        running.looked_up = True
    return running


def _count_lost(task: str, arguments: str, message: str, now: datetime) -> FailedTask | None:
    """Count the attempts of this work that were lost; what is known of it then, if any was."""
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
    return FailedTask.objects.filter(task=task, arguments=arguments, lost__gt=0).first()


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
            FailedTask.objects.filter(task=task, arguments=arguments, lost__gt=0).delete()
