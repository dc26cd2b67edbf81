"""A broker in files, for one machine: ``durable://``.

kombu's own file transport deletes a message when it is taken, so a worker that dies loses it, and it can
read a message that is still being written. Here a message moves by renaming, which is all or nothing:

    tmp/NAME                 being written; synced, then renamed to
    ready/QUEUE/NAME         waits, in the order of the names (wall-clock nanoseconds at which it is due)
    taken/OWNER/QUEUE/NAME   in the hands of one process; deleted when acknowledged
    owners/OWNER             held locked as long as that process lives

The system drops the lock of a process that dies, whatever it dies of, and process numbers, which are used
again, don't matter. Whoever consumes looks from time to time for owners whose lock is free and puts their
messages back, marked as delivered before. A forked child shares its parent's lock: as long as one of a
worker's children still runs a task, that task is not given to another.

A message that is queued ahead of its time stays where it is until then: no worker has to keep it. With the
transport option ``at_once``, no process has more messages of one queue in its hands than that.

All folders must lie on one file system. Nothing here outlives the disk; rows and the sweep stay the truth.
"""

import fcntl
import os
import shutil
import threading
import time
import uuid
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from queue import Empty
from typing import Any, BinaryIO
from urllib.parse import quote

from kombu.transport import virtual
from kombu.utils.json import dumps, loads

SECONDS_BETWEEN_SEARCHES = 5.0
AGAIN = ".again"  # ends the name of a message that somebody had taken before


class Owner:
    """This process as one that takes messages: a name, and a lock that dies with the process."""

    def __init__(self, root: Path) -> None:
        self.pid = os.getpid()
        self.name = new_name()
        self.folder = root / "taken" / self.name
        self.folder.mkdir()
        lock = root / "tmp" / self.name
        self.lock: BinaryIO = lock.open("wb")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        lock.rename(root / "owners" / self.name)  # only now, so that nobody sees it unlocked while we live


def new_name(at: int | None = None) -> str:
    """A name nobody else has; names sort by the time in nanoseconds for which they are made: now, or *at*."""
    return f"{at or time.time_ns():020}-{uuid.uuid4().hex}"


def due(name: str) -> int:
    """The time in *name*."""
    return int(name.partition("-")[0])


class Files:
    """The folders, and the moves between them. Safe beside any number of other processes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._owner: Owner | None = None
        self._making_owner = threading.Lock()
        for name in ("tmp", "ready", "taken", "owners"):
            (root / name).mkdir(parents=True, exist_ok=True)

    @property
    def owner(self) -> Owner:
        """Made when first needed, and made anew in a forked child that takes messages itself."""
        with self._making_owner:
            if self._owner is None or self._owner.pid != os.getpid():
                self._owner = Owner(self.root)
            return self._owner

    def ready(self, queue: str) -> Path:
        return self.root / "ready" / quote(queue, safe="")

    def put(self, queue: str, message: bytes, at: int | None = None) -> None:
        """Add *message* at the end of *queue*, or let it wait there until *at*, in nanoseconds; when this
        returns it is on the disk."""
        name = new_name(at)
        written = self.root / "tmp" / name
        with written.open("wb") as file:
            file.write(message)
            file.flush()
            os.fsync(file.fileno())
        folder = self.ready(queue)
        folder.mkdir(exist_ok=True)
        written.rename(folder / name)

    def names(self, queue: str) -> list[str]:
        """What waits in *queue*, oldest first."""
        try:
            return sorted(os.listdir(self.ready(queue)))
        except FileNotFoundError:
            return []

    def take(self, queue: str) -> Path | None:
        """The oldest message of *queue*, now ours, or nothing if none is due."""
        now = time.time_ns()
        names = [name for name in self.names(queue) if due(name) <= now]
        if not names:
            return None
        folder = self.owner.folder / quote(queue, safe="")
        folder.mkdir(exist_ok=True)
        for name in names:
            try:
                return (self.ready(queue) / name).rename(folder / name)
            except FileNotFoundError:
                continue  # another process was quicker
        return None

    def give_back(self, taken: Path) -> None:
        """Let *taken* wait again in its old place, marked as delivered before."""
        name = taken.name.removesuffix(AGAIN) + AGAIN
        folder = self.root / "ready" / taken.parent.name
        folder.mkdir(exist_ok=True)
        try:
            taken.rename(folder / name)
        except FileNotFoundError:
            return  # it was given back or acknowledged already

    def give_back_from_the_dead(self) -> None:
        """Give back what processes that live no longer had taken."""
        for lock in (self.root / "owners").iterdir():
            if self._owner is not None and lock.name == self._owner.name:
                continue
            try:
                held = lock.open("rb")
            except FileNotFoundError:
                continue  # another process has just done this
            with held:
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue  # the owner lives, or another process is just doing this
                folder = self.root / "taken" / lock.name
                for message in sorted(folder.glob("*/*")):
                    self.give_back(message)
                shutil.rmtree(folder, ignore_errors=True)
                lock.unlink(missing_ok=True)


class Channel(virtual.Channel):
    """kombu's questions, answered by ``Files``."""

    connection: "Transport"

    def __init__(self, connection: "Transport", **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        self.files = connection.files
        self._taken: dict[str, Path] = {}  # by delivery tag
        self._next_search = 0.0

    def _put(self, queue: str, message: dict[str, Any], **kwargs: Any) -> None:
        eta = message["headers"].get("eta")
        at = int(datetime.fromisoformat(eta).timestamp() * 1_000_000_000) if eta else None
        self.files.put(queue, dumps(message).encode(), at)

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        if time.monotonic() >= self._next_search:
            self.files.give_back_from_the_dead()
            self._next_search = time.monotonic() + SECONDS_BETWEEN_SEARCHES
        path = self.files.take(queue) if self._may_take(queue) else None
        if path is None:
            raise Empty
        message: dict[str, Any] = loads(path.read_bytes().decode())
        if path.name.endswith(AGAIN):
            message["properties"]["delivery_info"]["redelivered"] = True
        self._taken[message["properties"]["delivery_tag"]] = path
        return message

    def _may_take(self, queue: str) -> bool:
        if self.connection.at_once is None:
            return True
        folder = quote(queue, safe="")
        return sum(path.parent.name == folder for path in self._taken.values()) < self.connection.at_once

    def _size(self, queue: str) -> int:
        return len(self.files.names(queue))

    def _purge(self, queue: str) -> int:
        names = self.files.names(queue)
        for name in names:
            (self.files.ready(queue) / name).unlink(missing_ok=True)
        return len(names)

    def _restore(self, message: virtual.Message) -> None:
        self.files.give_back(self._taken.pop(str(message.delivery_tag)))

    def basic_consume(self, *args: Any, **kwargs: Any) -> Any:
        self.files.give_back_from_the_dead()
        return super().basic_consume(*args, **kwargs)

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        super().basic_ack(delivery_tag, multiple)
        self._forget(delivery_tag)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        super().basic_reject(delivery_tag, requeue)  # calls _restore if it is to be queued again
        self._forget(delivery_tag)

    def _forget(self, delivery_tag: str) -> None:
        path = self._taken.pop(delivery_tag, None)
        if path is not None:
            path.unlink(missing_ok=True)


class Transport(virtual.Transport):
    """Registered as ``durable`` in ``carcassonne.celery``; the transport option ``folder`` says where.

    It takes part in Celery's event loop, because only then has each child of a worker pipes of its own. Else
    all read from one, under a lock that goes with whichever child is killed while it waits for work: from
    then on that worker does nothing, and says nothing.
    """

    Channel = Channel
    implements = virtual.Transport.implements.extend(
        asynchronous=True, exchange_type=frozenset({"direct", "topic"})
    )
    default_port = 0
    driver_type = "durable"
    driver_name = "durable"
    _files: dict[str, Files] = {}  # one per folder and process: connections share the owner's lock

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        folder = str(client.transport_options["folder"])
        self.at_once: int | None = client.transport_options.get("at_once")
        self.files = self._files.setdefault(folder, Files(Path(folder)))

    def register_with_event_loop(self, connection: Any, loop: Any) -> None:
        """Look for messages every ``polling_interval`` seconds: files have no descriptor to wait at."""
        loop.call_repeatedly(self.polling_interval, self._deliver_what_waits)

    def _deliver_what_waits(self) -> None:
        """Deliver as many messages as the worker may take now."""
        with suppress(Empty):
            while self.cycle is not None:
                self.cycle.get(self._deliver)

    def driver_version(self) -> str:
        return "1"
