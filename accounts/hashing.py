"""A bound on the passwords that one process hashes at once, so that sign-ins leave room for pages.

A hash takes half a second of a core on purpose. Without the bound, sixteen connections that signed in without
a pause let everybody else wait five to thirteen seconds for a page.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

LONGEST_WAIT = 5.0
"""Maximum seconds to wait for a turn; a hash takes half a second on an idle core."""


class TooManyHashes(Exception):
    """This process has as many passwords to hash as it may: to be tried again in a moment."""


class HashingGate:
    """Lets *at_once* threads hash and *waiting* more wait for them; refuses others at once.

    Threads that wait are lost to pages, too, so their number is bounded as well.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._turns = BoundedSemaphore(at_once)
        self._places = BoundedSemaphore(at_once + waiting)

    @contextmanager
    def hold_turn(self) -> Iterator[None]:
        """:raises TooManyHashes: nobody may wait any more, or waiting took too long"""
        with _hold_semaphore(self._places, 0.0), _hold_semaphore(self._turns, LONGEST_WAIT):
            yield

    def check(self) -> None:
        """Refuse early, before anything is counted or written.

        :raises TooManyHashes: nobody may wait any more
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
    """Django's own hasher behind the gate.

    Checking, setting and the hash of an unknown account that evens out the time all go through ``encode``.
    """

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with gate.hold_turn():
            encoded: str = super().encode(password, salt, iterations)
        return encoded
