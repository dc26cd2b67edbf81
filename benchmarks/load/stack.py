"""All parts of a site on free ports of this machine: started, killed, started again, and gone at the end."""

from __future__ import annotations

import json
import os
import pwd
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HOST = "carcassonne.test"
HOOKS = "hooks.example.net"
"""The host of the webhooks in a fault run."""

PAUSE = 1.0  # seconds until a killed process is restarted, as systemd's RestartSec


class Missing(Exception):
    """A program that must be installed first; the message names it."""


@dataclass
class Part:
    """Process with its children, over all restarts."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    user: str | None = None
    process: subprocess.Popen[bytes] | None = None
    wanted: bool = False
    due: float = 0.0

    def start(self) -> None:
        """Start the process."""
        more: dict[str, Any] = {"user": self.user, "extra_groups": []} if self.user else {}
        if self.user:
            more["group"] = pwd.getpwnam(self.user).pw_gid
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT if not self.user else "/",
                env=dict(self.environment),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **more,
            )
        self.wanted = True

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def pids(self) -> list[int]:
        """The process and its descendants, itself first."""
        return descendants(self.process.pid) if self.process is not None and self.running() else []

    def kill(self) -> None:
        """Kill the process and its descendants with SIGKILL, as when a machine is lost."""
        for pid in self.pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def kill_child(self, chance: random.Random) -> bool:
        """Kill one descendant. Return whether there was one."""
        below = self.pids()[1:]
        if below:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(below), signal.SIGKILL)
        return bool(below)

    def stop(self, how: int = signal.SIGTERM, seconds: float = 15) -> None:
        """Send the signal *how*; kill the process after so many *seconds*."""
        self.wanted = False
        if self.process is None:
            return
        pids = self.pids()
        if self.running():
            self.process.send_signal(how)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()


def descendants(root: int) -> list[int]:
    """*root* and all processes below it."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):
                children.setdefault(int(_stat(int(entry))[1]), []).append(int(entry))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found


def _stat(pid: int) -> list[str]:
    """The fields of ``/proc/<pid>/stat`` from the state on; ``[1]`` is the parent."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def until(what: Callable[[], bool], seconds: float, name: str, *, every: float = 0.1) -> None:
    """Wait until *what* returns true, checking *every* so many seconds.

    :raises TimeoutError: it didn't within *seconds*
    """
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise TimeoutError(f"{name}: not within {seconds:.0f} s")
        time.sleep(every)


def programs() -> dict[str, str]:
    """The paths of the programs of PostgreSQL and Redis.

    :raises Missing: one isn't installed
    """
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: float(one.parent.name))
    path = os.pathsep.join([*map(str, reversed(folders)), os.environ.get("PATH", "")])
    found = {name: shutil.which(name, path=path) for name in ("initdb", "postgres", "redis-server")}
    if lacking := [name for name, where in found.items() if where is None]:
        raise Missing(
            f"{', '.join(lacking)} can't be found. On Debian and Ubuntu:"
            " apt-get install postgresql redis-server"
        )
    return {name: str(where) for name, where in found.items()}


def database_user() -> str | None:
    """The user to run PostgreSQL as if this process is root, which PostgreSQL refuses; else ``None``."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise Missing("PostgreSQL doesn't run as root, and there is neither a user postgres nor nobody")


@dataclass
class Stack:
    """Parts by name, and the folder with all their files."""

    folder: Path
    mail_port: int
    settings: Mapping[str, str] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)
    outages: list[tuple[str, float, float]] = field(default_factory=list)
    """Parts that were down, each with begin and end, in seconds of the epoch by the site's clock."""
    behind: float = 0.0
    """Seconds by which the site's clock was set back."""

    def __post_init__(self) -> None:
        self.programs = programs()
        self.user = database_user()
        self.web_port, self.redis_port, self.database_port = free_port(), free_port(), free_port()
        self.rows = Path(tempfile.mkdtemp(prefix="carcassonne-load-rows-"))
        self.environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.folder),
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "DEBUG": "0",
            "DATA_DIR": str(self.folder / "data"),
            "SECRET_KEY": secrets.token_urlsafe(60),
            "ALLOWED_HOSTS": HOST,
            "SITE_URL": f"https://{HOST}",
            "DATABASE_URL": f"postgres://postgres@127.0.0.1:{self.database_port}/postgres",
            "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}/0",
            "EMAIL_URL": f"smtp://127.0.0.1:{self.mail_port}",
            "NOTICE_PAUSE_SECONDS": "0",
            "PORT": str(self.web_port),
            "DJANGO_SETTINGS_MODULE": "carcassonne.settings",
            "CLOCK_FILE": str(self.folder / "clock"),
            **self.settings,
        }
        self._watching = threading.Event()
        self._lock = threading.RLock()

    # ------------------------------------------------------------------------------------ starting

    def add(self, name: str, command: Sequence[str], user: str | None = None) -> None:
        """Start a part."""
        log = self.folder / f"{name.replace(' ', '-')}.log"
        part = Part(name, command, self.environment, log, user)
        part.start()
        self.parts[name] = part

    def start_services(self) -> None:
        """Start PostgreSQL and Redis, which persists nothing, so that a kill takes queue and cache with
        it."""
        if self.user:
            shutil.chown(self.rows, self.user)
        cluster = str(self.rows / "cluster")
        more: dict[str, Any] = {"user": self.user, "extra_groups": []} if self.user else {}
        subprocess.run(
            [self.programs["initdb"], *f"-D {cluster} -U postgres -A trust -E UTF8 --locale C.UTF-8".split()],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            **more,
        )
        self.add(
            "postgresql",
            [
                self.programs["postgres"],
                *f"-D {cluster} -k {self.rows} -h 127.0.0.1 -p {self.database_port}".split(),
            ],
            user=self.user,
        )
        self.add(
            "redis",
            [
                self.programs["redis-server"],
                *f"--port {self.redis_port} --bind 127.0.0.1 --dir {self.folder} --appendonly no".split(),
                *("--save", ""),
            ],
        )
        until(lambda: answers(self.database_port) and answers(self.redis_port), 60, "PostgreSQL and Redis")

    def start_site(self, commands: Mapping[str, Sequence[str]]) -> None:
        """Start the site's processes, and wait until the web server is up."""
        (self.folder / "data" / "beat").mkdir(parents=True, exist_ok=True)
        for name, command in commands.items():
            self.add(name, command)
        until(lambda: answers(self.web_port), 60, "the site")

    def run(self, module: str, argument: object = None) -> Any:
        """Run a module of the benchmark in a process with the site's settings, and return its output, JSON.

        :raises subprocess.CalledProcessError: it failed; its message is on standard error
        """
        done = subprocess.run(
            [sys.executable, "-m", module],
            input=json.dumps(argument).encode(),
            env=self.environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=True,
        )
        return json.loads(done.stdout)

    # ------------------------------------------------------------------------------------ killing

    def watch(self) -> None:
        """Restart parts that die, a second later, as a service manager would."""
        self._watching.set()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while self._watching.is_set():
            with self._lock:
                for part in self.parts.values():
                    if part.wanted and not part.running():
                        self._revive(part)
            time.sleep(0.1)

    def _revive(self, part: Part) -> None:
        now = time.monotonic()
        if not part.due:
            part.due = now + PAUSE
        elif now >= part.due:
            part.due = 0.0
            part.start()

    def kill(self, name: str, down: float) -> None:
        """Kill a part, which stays down for so many seconds."""
        with self._lock:
            part = self.parts[name]
            began = time.time() - self.behind
            if name == "postgresql" and part.process is not None:
                part.process.kill()  # its children notice and exit
                part.process.wait()
            else:
                part.kill()
            part.due = time.monotonic() + down
            self.outages.append((name, began, began + down))

    def kill_child(self, name: str, chance: random.Random) -> bool:
        """Kill one of the processes of a part. Return whether it had any."""
        with self._lock:
            now = time.time() - self.behind
            killed = self.parts[name].kill_child(chance)
            if killed:
                self.outages.append((f"a child of {name}", now, now + PAUSE))
            return killed

    def set_clock_back(self, seconds: float) -> None:
        """Kill the site's parts, which restart with a clock that is so many *seconds* behind, as on a machine
        that comes up with a wrong one. ``fault_settings`` reads it."""
        with self._lock:
            for name in self.parts.keys() - {"postgresql", "redis"}:
                self.kill(name, PAUSE)
            self.behind = seconds
            Path(self.environment["CLOCK_FILE"]).write_text(str(seconds))

    def sound(self) -> bool:
        """Return whether all parts run, and all ports are open."""
        with self._lock:
            running = all(part.running() for part in self.parts.values() if part.wanted)
        ports = [self.database_port, self.redis_port, self.web_port]
        if "receiver" in self.parts:
            ports.append(int(self.environment["RECEIVE_MAIL_PORT"]))
        return running and all(map(answers, ports))

    # ------------------------------------------------------------------------------------ looking, ending

    def logs(self) -> dict[str, str]:
        """Return the logs of all parts, by name."""
        return {name: part.log.read_text(errors="replace") for name, part in self.parts.items()}

    def stop(self) -> None:
        """Stop all parts."""
        self._watching.clear()
        with self._lock:
            for name, part in reversed(self.parts.items()):
                # PostgreSQL: fast, without waiting for clients.
                part.stop(signal.SIGINT if name == "postgresql" else signal.SIGTERM)


@contextmanager
def stack(mail_port: int, keep: Path | None = None, **settings: str) -> Iterator[Stack]:
    """A stack with PostgreSQL and Redis, for the time of the block. *keep*: a folder for the logs.

    :raises Missing: PostgreSQL or Redis is not installed
    """
    folder = Path(tempfile.mkdtemp(prefix="carcassonne-load-"))
    (folder / "data").mkdir(mode=0o700)
    made = None
    try:
        made = Stack(folder, mail_port, settings)
        made.start_services()
        yield made
    finally:
        if made is not None:
            made.stop()
            shutil.rmtree(made.rows, ignore_errors=True)
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            for log in folder.glob("*.log"):
                shutil.copy(log, keep)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end the run as Ctrl-C does, with all clean-up."""

    def end(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
