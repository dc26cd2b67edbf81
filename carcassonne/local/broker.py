"""A broker in files, for one machine: kombu's ``filesystem://``, mended where it loses its worker.

kombu writes a message under the name by which others read it, so a worker that looks at the wrong moment
reads half of it, and ends. As in kombu, a message is gone when it is taken: of what a worker had in hand when
it was killed only the rows are left, in which the sweep finds it.
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
    """Keep each message in a file, named after the nanosecond at which it was sent, and its queue."""

    supports_fanout = False  # so no file says which queue belongs to which exchange
    get_table = virtual.Channel.get_table  # type: ignore[assignment]  # of tuples without names

    @property
    def data_folder_in(self) -> str:
        """Return the folder of all messages, which may be removed at any time."""
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
    """Take part in Celery's event loop, because only then has each child of a worker pipes of its own.

    Else all read from one, under a lock that goes with whichever child is killed while it waits for work:
    from then on that worker does nothing, and says nothing.
    """

    Channel = FileChannel
    implements = filesystem.Transport.implements.extend(asynchronous=True)

    def register_with_event_loop(self, connection: Any, loop: Any) -> None:
        loop.call_repeatedly(self.polling_interval, self._deliver_what_waits)

    def _deliver_what_waits(self) -> None:
        with suppress(Empty):
            while self.cycle is not None:
                self.cycle.get(self._deliver)
