"""Lag of each queue: how many messages wait, and for how long."""

from __future__ import annotations

import json
import time
from typing import Any, NamedTuple

from django.conf import settings

from carcassonne.celery import app

SECONDS_TO_CONNECT = 2
NANO = 1_000_000_000


class Lag(NamedTuple):
    """Lag of one queue, without the messages that workers have in hand."""

    waiting: int
    seconds: float
    """Age of the oldest message that waits; 0 if none does."""


def measure_lags() -> dict[str, Lag]:
    """The lag of each queue of the settings, by name.

    With Redis the cost is independent of the number of messages; the embedded broker's folder is listed.

    :raises OSError, kombu.exceptions.OperationalError: the broker is away
    """
    with app.connection_for_read() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, timeout=SECONDS_TO_CONNECT)
        channel: Any = connection.default_channel
        sent = _sent_to_redis if connection.transport.driver_type == "redis" else _sent_to_files
        now = time.time()
        return {
            name: Lag(channel._size(name), max((now - at for at in sent(channel, name)), default=0.0))
            for name in settings.CELERY_TASK_QUEUES
        }


def _sent_to_redis(channel: Any, queue: str) -> list[float]:
    """The send time of the oldest message of each priority: messages are pushed left and popped right."""
    with channel.conn_or_acquire() as client:
        keys = dict.fromkeys(channel._q_for_pri(queue, priority) for priority in channel.priority_steps)
        # kombu puts its prefix, if there is one, before the keys of its own commands only.
        prefixed = [f"{channel.global_keyprefix}{key}" for key in keys]
        oldest = [message for key in prefixed if (message := client.lindex(key, -1))]
    headers = [json.loads(message)["headers"] for message in oldest]
    return [header["sent_at"] for header in headers if "sent_at" in header]  # carcassonne.logs puts it there


def _sent_to_files(channel: Any, queue: str) -> list[float]:
    """The send time of the oldest message, from its file's name."""
    return [int(name.partition("-")[0]) / NANO for name in channel.names(queue)[:1]]
