"""Broker in files for one machine: kombu's ``filesystem://`` with fixes.

kombu writes a message under its final name, so a worker that looks at the wrong moment reads half of it, and
crashes. As in kombu, a message is deleted when it is taken: if a worker is killed, the sweep finds its work
in the rows.
"""

import logging
import os
import time
import uuid
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem, virtual
from kombu.utils.json import dumps, loads

logger = logging.getLogger(__name__)


class FileChannel(filesystem.Channel):
    """Channel that keeps each message in a file, named after its time in nanoseconds and its queue."""

    supports_fanout = False  # so no file says which queue belongs to which exchange
    get_table = virtual.Channel.get_table  # type: ignore[assignment]  # of tuples without names

    @property
    def data_folder_in(self) -> str:
        """The folder of all messages, which may be removed at any time."""
        folder: str = self.transport_options["data_folder_in"]
        os.makedirs(folder, exist_ok=True)
        return folder

    def names(self, queue: str) -> list[str]:
        """Return the names of the files that wait in *queue*, oldest first."""
        names = os.listdir(self.data_folder_in)
        return sorted(name for name in names if name.partition(".")[2] == f"{queue}.msg")

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        file = Path(self.data_folder_in, f"{time.time_ns():020}-{uuid.uuid4().hex}.{queue}.msg")
        unfinished = file.with_suffix(".part")
        unfinished.write_text(dumps(payload))
        unfinished.rename(file)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for name in self.names(queue):
            file = Path(self.data_folder_in, name)
            with suppress(FileNotFoundError):  # another process was quicker
                try:
                    message = loads(file.read_bytes())
                except ValueError:
                    logger.exception("%s can't be read and is set aside", file)
                    file.rename(file.with_suffix(".unreadable"))
                    continue
                file.unlink()  # only one process can, and that one has the message
                return message
        raise Empty


class FileTransport(filesystem.Transport):
    """Transport that takes part in Celery's event loop, so that each child of a worker has its own pipes.

    Otherwise all children read from one pipe, under a lock that is lost with a child that is killed while it
    waits for work: from then on the worker silently does nothing.
    """

    Channel = FileChannel
    implements = filesystem.Transport.implements.extend(asynchronous=True)

    def register_with_event_loop(self, connection: Any, loop: Any) -> None:
        loop.call_repeatedly(self.polling_interval, self._deliver_what_waits)

    def _deliver_what_waits(self) -> None:
        with suppress(Empty):
            while self.cycle is not None:
                self.cycle.get(self._deliver)
