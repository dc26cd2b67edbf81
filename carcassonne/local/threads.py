"""Celery pool with one thread for each queue, which replaces a worker for each.

Tasks have time limits, as in a pool of processes. At the soft one, the thread raises
``SoftTimeLimitExceeded``. At the hard one the task counts as failed and the whole process exits, as nothing
else ends a thread that hangs: its supervisor restarts it, and the sweep finds the other tasks in hand. So the
pool needs a supervisor, and no limit on prefetched messages.
"""

import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from billiard.einfo import ExceptionInfo
from celery.concurrency.base import BasePool, apply_target
from celery.concurrency.thread import ApplyResult  # type: ignore[attr-defined]
from celery.exceptions import SoftTimeLimitExceeded

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_TO_ACKNOWLEDGE = 1.0  # which the main thread does


@dataclass
class Running:
    """Task that runs in a thread. Times are those of the monotonic clock."""

    thread: int
    begun: float
    soft: float | None  # seconds
    hard: float | None
    timed_out: Callable[..., object] | None

    def is_overdue(self, limit: float | None) -> bool:
        return limit is not None and time.monotonic() - self.begun > limit


class TaskPool(BasePool):
    """Pool with a thread for each queue, created with its first task."""

    body_can_be_buffer = True
    signal_safe = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._threads: dict[str, ThreadPoolExecutor] = {}
        self._running: dict[int, Running] = {}  # by thread
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def on_start(self) -> None:
        threading.Thread(target=self._watch, name="time limits", daemon=True).start()

    def on_stop(self) -> None:
        for thread in self._threads.values():
            thread.shutdown(cancel_futures=True)
        self._stopped.set()

    def on_apply(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        **options: Any,
    ) -> ApplyResult:
        """Let *target* run in the thread of the queue from which its message came."""
        queue = args[2]["delivery_info"]["routing_key"]
        if queue not in self._threads:
            self._threads[queue] = ThreadPoolExecutor(1, thread_name_prefix=queue)
        return ApplyResult(self._threads[queue].submit(self._run, target, args, kwargs, options))

    def _run(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None,
        options: dict[str, Any],
    ) -> None:
        def run_within_limits(*args: Any, **kwargs: Any) -> Any:
            self._begin(options)
            try:
                return target(*args, **kwargs)
            finally:
                self._end()

        try:
            apply_target(run_within_limits, args, kwargs, options["callback"], options["accept_callback"])
        except SoftTimeLimitExceeded:  # it came after the task had ended, before we had noted that
            options["error_callback"](ExceptionInfo())

    def _begin(self, options: dict[str, Any]) -> None:
        thread = threading.get_ident()
        limits = options.get("soft_timeout"), options.get("timeout")
        with self._lock:
            self._running[thread] = Running(
                thread, time.monotonic(), *limits, timed_out=options.get("timeout_callback")
            )

    def _end(self) -> None:
        thread = threading.get_ident()
        with self._lock:
            del self._running[thread]
            _raise_in(thread, None)  # cancels an exception that was not raised yet

    def _watch(self) -> None:
        while not self._stopped.wait(SECONDS_BETWEEN_LOOKS):
            with self._lock:
                for task in self._running.values():
                    if task.is_overdue(task.hard):
                        self._give_up(task)
                    elif task.is_overdue(task.soft):
                        task.soft = None  # once
                        _raise_in(task.thread, SoftTimeLimitExceeded)

    @staticmethod
    def _give_up(task: Running) -> None:
        try:
            if task.timed_out is not None:
                task.timed_out(soft=False, timeout=task.hard)
                time.sleep(SECONDS_TO_ACKNOWLEDGE)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)


def _raise_in(thread: int, exception: type[Exception] | None) -> None:
    """Raise *exception* in *thread* as soon as it runs Python code; ``None`` cancels that."""
    what = None if exception is None else ctypes.py_object(exception)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
