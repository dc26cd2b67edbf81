"""Web, workers and beat as children of one process: started, started again, and stopped together.

``manage.py serve`` becomes this script, which knows nothing of Django and so takes a tenth of the memory.

Each child leads a process group of its own, so that stopping one stops what it has started, and so that a
Ctrl-C in the terminal reaches only us: we then ask everybody to finish.
"""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn

SECONDS_TO_STOP = 10.0
SHORT_LIFE = 10.0  # who dies younger waits longer before the next life
LONGEST_WAIT = 30.0
_PR_SET_PDEATHSIG = 1


@dataclass
class Child:
    """One of our processes, over all its lives."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    born: float = 0.0
    wait: float = 1.0
    due: float = 0.0

    def start(self, now: float) -> None:
        self.process = subprocess.Popen(self.command, start_new_session=True, preexec_fn=stop_with_parent)
        self.born = now

    def ask_to_stop(self) -> None:
        """Tell the child alone: it knows best how to end what it has started."""
        if self.process is not None:
            self.process.terminate()

    def end(self) -> None:
        """End the child and whatever is left of what it has started."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None


def stop_with_parent() -> None:
    """On Linux: have this process told to stop when the one that has started it ends, even if killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass
class Supervisor:
    """Runs *children* until it is told to stop by Ctrl-C or ``SIGTERM``."""

    children: Sequence[Child]
    say: Callable[[str], object]
    stopping: bool = field(default=False, init=False)

    def run(self, when_started: Callable[[], object]) -> None:
        """Start everybody, call *when_started*, watch, and leave nobody behind."""
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            for child in self.children:
                child.start(time.monotonic())
            when_started()
            while not self.stopping:
                self.check_children(time.monotonic())
                time.sleep(0.2)
        finally:
            self.stop()
            for number, handler in before.items():
                signal.signal(number, handler)

    def check_children(self, now: float) -> None:
        """Start again who has died, at once the first time and ever more slowly if it keeps dying."""
        for child in self.children:
            if child.running():
                continue
            if child.process is not None:
                child.wait = 1.0 if now - child.born > SHORT_LIFE else min(2 * child.wait, LONGEST_WAIT)
                self.say(
                    f"{child.name} ended with {child.process.returncode}; next start in {child.wait:.0f} s"
                )
                child.end()
                child.process, child.due = None, now + child.wait
            elif now >= child.due:
                child.start(now)

    def stop(self) -> None:
        """Ask everybody to finish; who has not done so after ten seconds is ended."""
        for child in self.children:
            child.ask_to_stop()
        end = time.monotonic() + SECONDS_TO_STOP
        while time.monotonic() < end and any(child.running() for child in self.children):
            time.sleep(0.05)
        for child in self.children:
            child.end()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True


def become(children: Sequence[Child], host: str, port: int, welcome: str) -> NoReturn:
    """Let this process be one that runs *children*, and says *welcome* when *port* of *host* answers."""
    commands = [[child.name, *child.command] for child in children]
    script = [sys.executable, "-P", __file__, json.dumps(commands), host, str(port), welcome]
    sys.stdout.flush()
    os.execv(sys.executable, script)


def main(commands: str, host: str, port: str, welcome: str) -> None:
    """What ``become`` makes of this process."""
    supervisor = Supervisor([Child(name, command) for name, *command in json.loads(commands)], say)

    def wait_until_it_answers() -> None:
        while not answers(host, int(port)):
            if supervisor.stopping:
                return
            supervisor.check_children(time.monotonic())
            time.sleep(0.1)
        say(welcome)

    supervisor.run(wait_until_it_answers)
    say("Everything is stopped.")


def say(text: str) -> None:
    print(text, flush=True)


def answers(host: str, port: int) -> bool:
    """Whether somebody listens there."""
    try:
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False


if __name__ == "__main__":
    main(*sys.argv[1:])
