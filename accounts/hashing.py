"""Limit on the passwords that one process hashes at a time, so that sign-ins leave time for pages.

A hash takes half a second of a core on purpose. Without the limit, sixteen connections that signed in without
a pause made everybody else wait five to thirteen seconds for a page.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

LONGEST_WAIT = 5.0
"""Maximum seconds to wait for a turn; a hash takes half a second on an idle core."""


class TooManyHashes(Exception):
    """Refusal of a hash because the process has its limit of them; to be retried in a moment."""


class HashingGate:
    """Semaphore for *at_once* threads that hash and *waiting* threads that wait; it refuses more at once.

    Waiting threads can't serve pages, so their number is limited as well.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._turns = BoundedSemaphore(at_once)
        self._places = BoundedSemaphore(at_once + waiting)

    @contextmanager
    def hold_turn(self) -> Iterator[None]:
        """Wait for a turn to hash.

        :raises TooManyHashes: too many wait already, or the wait took longer than :data:`LONGEST_WAIT`
        """
        with _hold_semaphore(self._places, 0.0), _hold_semaphore(self._turns, LONGEST_WAIT):
            yield

    def check(self) -> None:
        """Refuse early, before anything is counted or written.

        :raises TooManyHashes: too many wait already
        """
        with _hold_semaphore(self._places, 0.0):
            pass


@contextmanager
def _hold_semaphore(semaphore: BoundedSemaphore, seconds: float) -> Iterator[None]:
    if not semaphore.acquire(timeout=seconds):
        raise TooManyHashes
    try:
        yield
    finally:
        semaphore.release()


gate = HashingGate(settings.PASSWORD_HASHES_AT_ONCE, settings.PASSWORD_HASHES_WAITING)


class BoundedPasswordHasher(PBKDF2PasswordHasher):
    """Django's PBKDF2 hasher behind the gate.

    Checking a password, setting one, and the dummy hash for unknown accounts all go through ``encode``.
    """

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with gate.hold_turn():
            encoded: str = super().encode(password, salt, iterations)
        return encoded
