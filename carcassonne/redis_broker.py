"""kombu's Redis transport with fixes for outages of Redis.

All three bugs are in kombu 5.7.0. None loses anything: messages in hand come back after the visibility
timeout. But one crashes the worker, one raises where nothing can be done, and one hides the cause in the log.
"""

import logging
from contextlib import suppress
from typing import Any

from kombu.transport import redis

logger = logging.getLogger(__name__)


class RedisChannel(redis.Channel):
    """Channel that can be closed twice, and that ignores acknowledgements afterwards."""

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
        """Return whether the channel was closed while a task ran. kombu uses its connection nevertheless,
        and fails with an AttributeError."""
        if self.connection is not None:
            return False
        logger.warning("A task has ended after Redis was lost: its message will come again.")
        return True


class RedisTransport(redis.Transport):
    """Transport that opens channels outside of any ``except``."""

    Channel = RedisChannel

    def create_channel(self, connection: Any) -> redis.Channel:
        """Return a free channel, or a new one.

        kombu creates the new one while it handles the IndexError that none is free; so whenever Redis is away
        the traceback begins with ``IndexError: pop from empty list``.
        """
        with suppress(IndexError):
            free: redis.Channel = self._avail_channels.pop()  # type: ignore[attr-defined]  # not in the stubs
            return free
        channel = self.Channel(connection)
        self.channels.append(channel)  # type: ignore[union-attr]  # an open transport has a list
        return channel
