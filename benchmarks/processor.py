"""Time of the processor: what others do on the machine meanwhile counts for little."""

from __future__ import annotations

import time
from pathlib import Path

from django.db import connection

NANO = 1_000_000_000


def seconds() -> float:
    """What this process has used, and :func:`of_server`."""
    return time.process_time() + of_server()


def of_server() -> float:
    """Seconds that PostgreSQL, which must run on this machine, has used for this connection; 0 on SQLite."""
    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    ran, _waited, _times = (
        Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text().split()
    )
    return int(ran) / NANO
