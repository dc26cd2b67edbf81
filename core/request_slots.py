"""Slots of the requests that a web process works on at once. One that only waits lends its slot to others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Semaphore, local

from django.conf import settings


class RequestSlots:
    """So many slots, of which each thread holds one at most."""

    def __init__(self, number: int) -> None:
        self._slots = Semaphore(number)
        self._thread = local()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold a slot; wait for one if all are taken."""
        with self._slots:
            self._thread.holds = True
            try:
                yield
            finally:
                self._thread.holds = False

    @contextmanager
    def lend(self) -> Iterator[None]:
        """Lend the slot of this thread to others, and wait for one at the end; nothing without a slot."""
        if not getattr(self._thread, "holds", False):
            yield
            return
        self._slots.release()
        try:
            yield
        finally:
            self._slots.acquire()


slots = RequestSlots(settings.WEB_THREADS)
