"""Limit on the passwords that one process hashes at a time, and fair places to wait for that.

A hash takes half a second of a core on purpose. Without the limit, sixteen connections that signed in without
a pause made everybody else wait five to thirteen seconds for a page. Without fair places, two networks that
guessed without a pause kept three of four others out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from typing import NamedTuple

from allauth.core import context
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connections
from django.http import HttpRequest

from accounts import limits
from core.request_slots import slots

LONGEST_WAIT = 10.0
"""Maximum seconds to wait for a turn; a hash takes half a second on an idle core."""

LEFT_TO_OTHERS = 3

REFUSED = "hash_refused"
"""Action of the rate limits by which refusals count against the network that causes them."""


class TooManyHashes(Exception):
    """Refusal of a hash because no place to wait is left; to be retried in a moment."""


class TooManyRefusals(TooManyHashes):
    """Refusal of a hash because its network was refused too often in the last minute."""


class HashingShare(NamedTuple):
    """Those who share places to wait: an account in browsers that it *knows*, or else a network."""

    known: bool
    key: str


WITHOUT_REQUEST = HashingShare(True, "")


class _Ticket:
    def __init__(self, share: HashingShare) -> None:
        self.share = share


class HashingGate:
    """Queue for *at_once* threads that hash, with so many *places* to wait for known browsers, and as many
    for others.

    A share gets another place only while :data:`LEFT_TO_OTHERS` times as many as it holds are left, so that
    those who come later find one. Of eight places two networks get two each, however often they ask.
    """

    def __init__(self, at_once: int, places: int) -> None:
        self._at_once, self._places = at_once, places
        self._hashing = 0
        self._queue: list[_Ticket] = []
        self._changed = Condition()

    @contextmanager
    def hold_turn(self, share: HashingShare) -> Iterator[None]:
        """Wait for a turn to hash, in the order of arrival.

        :raises TooManyHashes: no place is left for *share*, or the wait took longer than
          :data:`LONGEST_WAIT`
        """
        ticket = _Ticket(share)
        with self._changed:
            self._must_have_place(share)
            self._queue.append(ticket)
            waits = not self._is_next(ticket)
        try:
            if waits:
                _release_connections()
                with slots.lend():
                    self._take_turn(ticket)
            else:
                self._take_turn(ticket)
        finally:
            self._leave_queue(ticket)
        try:
            yield
        finally:
            with self._changed:
                self._hashing -= 1
                self._changed.notify_all()

    def _take_turn(self, ticket: _Ticket) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: self._is_next(ticket), LONGEST_WAIT):
                raise TooManyHashes
            self._queue.remove(ticket)
            self._hashing += 1
            self._changed.notify_all()

    def _leave_queue(self, ticket: _Ticket) -> None:
        with self._changed:
            if ticket in self._queue:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def check(self, share: HashingShare) -> None:
        """Refuse early, before anything is counted or written.

        :raises TooManyHashes: no place is left for *share*
        """
        with self._changed:
            self._must_have_place(share)

    def _is_next(self, ticket: _Ticket) -> bool:
        return ticket in self._queue[: self._at_once - self._hashing]

    def _must_have_place(self, share: HashingShare) -> None:
        if self._hashing + len(self._queue) < self._at_once:
            return  # nobody waits
        taken = [ticket.share for ticket in self._queue if ticket.share.known == share.known]
        if self._places - len(taken) <= LEFT_TO_OTHERS * taken.count(share):
            raise TooManyHashes


def _release_connections() -> None:
    """Give connections to databases back, which pages need while this thread waits."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


gate = HashingGate(settings.PASSWORD_HASHES_AT_ONCE, settings.PASSWORD_HASHES_WAITING)


def find_share(request: HttpRequest | None, email: str = "") -> HashingShare:
    """Return the share of *request*: that of the signed-in player, or of the account of *email* if it knows
    the browser; else that of the network."""
    if request is None:
        return WITHOUT_REQUEST
    if request.user.is_authenticated and not request.user.provisional:
        return HashingShare(True, str(request.user.pk))
    known = limits.find_known_browser(request, email) if email else None
    return HashingShare(True, known) if known else HashingShare(False, limits.wide_network(request))


def check(request: HttpRequest, email: str) -> None:
    """Refuse to sign in as *email* early, and remember the share of *request* for the hash.

    :raises TooManyHashes: no place is left, or its network was refused too often
    """
    share = request.hashing_share = find_share(request, email)  # type: ignore[attr-defined]
    _must_not_be_refused_often(request, share)
    gate.check(share)


def count_refusal(request: HttpRequest) -> None:
    """Count a refusal against the network of *request*, unless it comes from a known browser."""
    if not _get_share(request).known:
        limits.allow(request, REFUSED)


def _get_share(request: HttpRequest | None) -> HashingShare:
    share: HashingShare | None = getattr(request, "hashing_share", None)
    return share or find_share(request)


def _must_not_be_refused_often(request: HttpRequest | None, share: HashingShare) -> None:
    if request is not None and not share.known and not limits.is_within(request, REFUSED):
        raise TooManyRefusals


class BoundedPasswordHasher(PBKDF2PasswordHasher):
    """Django's PBKDF2 hasher behind the gate.

    Checking a password, setting one, and the dummy hash for unknown accounts all go through ``encode``.
    """

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        request = context.request
        share = _get_share(request)
        _must_not_be_refused_often(request, share)
        with gate.hold_turn(share):
            encoded: str = super().encode(password, salt, iterations)
        return encoded
