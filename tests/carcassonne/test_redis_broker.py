"""Tests of a loss of Redis while a worker runs a task."""

import shutil
import socket
import subprocess
import time
import traceback
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from kombu import Connection, Message, Queue
from kombu.exceptions import OperationalError
from kombu.transport import TRANSPORT_ALIASES
from redis import Redis

import carcassonne.celery  # noqa: F401  registers the transport


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """A Redis of this test's own."""

    def __init__(self) -> None:
        self.port = free_port()
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def server() -> Iterator[Server]:
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    started = Server()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with suppress(OSError), closing(socket.create_connection(("127.0.0.1", started.port))):
            break
        time.sleep(0.05)
    yield started
    started.kill()


def test_the_site_uses_the_mended_transport() -> None:
    assert Connection("redis://localhost/0").transport_cls == "redis"
    assert (
        TRANSPORT_ALIASES["redis"] == TRANSPORT_ALIASES["rediss"] == "carcassonne.redis_broker:RedisTransport"
    )
    assert type(Connection("redis://localhost/0").transport).__module__ == "carcassonne.redis_broker"


def test_a_lost_connection_can_be_closed_twice_with_a_message_in_hand(server: Server) -> None:
    queue = Queue("tasks", routing_key="tasks")
    connection = Connection(f"redis://127.0.0.1:{server.port}/0")
    connection.Producer().publish({}, routing_key="tasks", declare=[queue])
    taken: list[object] = []
    consumer = connection.Consumer([queue], callbacks=[lambda body, message: taken.append(message)])
    consumer.consume()
    connection.drain_events(timeout=5)
    assert len(taken) == 1
    server.kill()
    # As Celery's consumer does; the channel is left open by the first, which fails on the way.
    channel = connection.default_channel
    connection.transport.client = None
    channel.close()
    assert channel.closed
    connection.close()


@pytest.mark.parametrize("done", ["ack", "reject", "requeue"])
def test_what_is_done_after_its_channel_was_closed_comes_again(server: Server, done: str) -> None:
    """A child of a worker ends its task after the worker has lost its connection and made a new one."""
    queue = Queue("tasks", routing_key="tasks")
    address = f"redis://127.0.0.1:{server.port}/0"
    lost = Connection(address)
    lost.Producer().publish({}, routing_key="tasks", declare=[queue])
    taken: list[Message] = []
    consumer = lost.Consumer([queue], callbacks=[lambda body, message: taken.append(message)])
    consumer.consume()
    lost.drain_events(timeout=5)
    [message] = taken
    lost.default_channel.do_restore = False  # nothing could be given back through it
    lost.close()
    getattr(message, done)()
    with Redis(port=server.port) as redis:
        assert redis.hlen("unacked") == 1


def test_the_trace_of_a_redis_that_is_away_tells_nothing_of_an_empty_list() -> None:
    connection = Connection(f"redis://127.0.0.1:{free_port()}/0")
    with pytest.raises((OperationalError, OSError, *connection.connection_errors)) as caught:
        connection.channel()
    assert "pop from empty list" not in "".join(traceback.format_exception(caught.value))
