"""Mail receiver that runs beside a test."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Queue
from typing import Any

from games.mail_in import smtp


@contextmanager
def run_receiver(*, lmtp: bool = False) -> Iterator[int]:
    """Run a receiver, and yield its port."""
    ports: Queue[int] = Queue()
    stopping: Queue[Callable[[], Any]] = Queue()

    async def main() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        stopping.put(lambda: loop.call_soon_threadsafe(stop.set))
        await smtp.receive("127.0.0.1", 0, lmtp=lmtp, stop=stop, listening=ports.put)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    try:
        yield ports.get(timeout=10)
    finally:
        stopping.get()()
        thread.join(10)
