"""kombu's Redis transport, mended where it fails when Redis goes away.

All three faults are of kombu 5.7.0. None loses anything: what a worker had in hand comes back after the
visibility time-out. But one ends the worker, one fails in it where nothing can be done, and one hides the
cause in its log.
"""

import logging
from contextlib import suppress
from typing import Any

from kombu.transport import redis

logger = logging.getLogger(__name__)


class RedisChannel(redis.Channel):
    """Can be closed after its connection was released, and told afterwards what has been done."""

    def close(self) -> None:
        # Celery closes a connection that it has lost twice. The second time there is none through which what
        # is in hand could be given back; kombu tries, and the worker ends with an AttributeError.
        if self.connection is not None and self.connection.client is None:
            self.do_restore = False
        super().close()

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        if not self._too_late():
            super().basic_ack(delivery_tag, multiple=multiple)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        if not self._too_late():
            super().basic_reject(delivery_tag, requeue=requeue)

    def _too_late(self) -> bool:
        """Whether the channel was closed while somebody worked on what had come through it. kombu looks for
        its connection all the same, and fails with an AttributeError."""
        if self.connection is not None:
            return False
        logger.warning("A task has ended after Redis was lost: its message will come again.")
        return True


class RedisTransport(redis.Transport):
    """Opens a channel outside of any ``except``."""

    Channel = RedisChannel

    def create_channel(self, connection: Any) -> redis.Channel:
        """A channel that is free, or a new one.

        kombu makes the new one while it handles the IndexError that none is free; so whenever Redis is away
        the trace of it begins with ``IndexError: pop from empty list``.
        """
        with suppress(IndexError):
            free: redis.Channel = self._avail_channels.pop()  # type: ignore[attr-defined]  # not in the stubs
            return free
        channel = self.Channel(connection)
        self.channels.append(channel)  # type: ignore[union-attr]  # an open transport has a list
        return channel
