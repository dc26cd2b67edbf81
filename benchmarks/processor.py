"""Processor time, on which other processes of the machine have little influence."""

from __future__ import annotations

import time
from pathlib import Path

from django.db import connection

NANO = 1_000_000_000


def seconds() -> float:
    """The processor time of this process and :func:`of_server`."""
    return time.process_time() + of_server()


def of_server() -> float:
    """The seconds that a local PostgreSQL has used for this connection; 0 on SQLite."""
    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    ran, _waited, _times = (
        Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text().split()
    )
    return int(ran) / NANO
