"""Process manager of ``make run``: starts the processes, restarts and stops them, with honcho.

``manage.py serve`` replaces itself by this script, which doesn't load Django and needs a tenth of the memory.
"""

import json
import os
import shlex
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from honcho.manager import Manager
from honcho.printer import Printer

# honcho would stop all when one ends, so none does before honcho itself; one that is killed stops nobody.
AGAIN_AND_AGAIN = (
    "while kill -0 {manager} 2>/dev/null; do {command};"
    ' echo "{name} ended with $?; next start in 1 s"; sleep 1; done'
)


def become_manager(commands: Mapping[str, Sequence[str]], host: str, port: int, welcome: str) -> NoReturn:
    """Replace this process by one that runs *commands*, and prints *welcome* when *port* is open."""
    script = [sys.executable, "-P", __file__, json.dumps(commands), host, str(port), welcome]
    sys.stdout.flush()
    os.execv(sys.executable, script)


def main(commands: str, host: str, port: str, welcome: str) -> None:
    """Run *commands* until Ctrl-C or ``SIGTERM``, or until the terminal is closed."""
    manager = Manager(Printer(prefix=False))
    for name, command in json.loads(commands).items():
        manager.add_process(name, build_loop(name, command))
    signal.signal(signal.SIGHUP, stop_silently)
    threading.Thread(target=greet, args=(host, int(port), welcome), daemon=True).start()
    manager.loop()
    print("Everything is stopped.", flush=True)


def build_loop(name: str, command: Sequence[str]) -> str:
    """Return a shell command that restarts *command* for as long as this process lives."""
    return AGAIN_AND_AGAIN.format(manager=os.getpid(), name=name, command=shlex.join(command))


def greet(host: str, port: int, welcome: str) -> None:
    """Print *welcome* as soon as the port is open."""
    while True:
        with suppress(OSError), socket.create_connection((host, port), timeout=1):
            return print(welcome, flush=True)
        time.sleep(0.1)


def stop_silently(number: int, frame: FrameType | None) -> None:
    """Stop as after Ctrl-C, without output: the terminal may be closed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(*sys.argv[1:])
