"""Settings of the site in a fault run: webhooks and push messages go to ``tests.post_service`` on this
machine, and a process that starts after the clock was set back (``Stack.set_clock_back``) goes by that."""

import os
import socket
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import certifi
import time_machine

from benchmarks.load.stack import HOOKS
from carcassonne.settings import *  # noqa: F403
from core import outgoing_urls

_getaddrinfo = socket.getaddrinfo


def find_endpoints(host: Any, *args: Any, **more: Any) -> Any:
    """Resolve the host of the webhooks as this machine."""
    return _getaddrinfo("127.0.0.1" if host == f"{HOOKS}." else host, *args, **more)


# Before ``core.outgoing_http`` and requests are imported, which take these over.
socket.getaddrinfo = find_endpoints
certifi.where = lambda: os.environ["ENDPOINTS_CERTIFICATE"]
outgoing_urls.is_public = lambda address: True
outgoing_urls.PORT = int(os.environ["ENDPOINTS_PORT"])

_clock = Path(os.environ["CLOCK_FILE"])
if _clock.exists():
    _behind = float(_clock.read_text())
    _moved = time_machine.travel(datetime.now(UTC) - timedelta(seconds=_behind)).start()
    # On a busy machine that took a while, and messages expire where the clocks of two processes differ.
    _moved.shift(time_machine.escape_hatch.time.time() - _behind - time.time())
