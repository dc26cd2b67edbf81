"""Control of Locust, which runs ``locustfile`` in a process of its own, and its results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.load import stack

LOCUSTFILE = Path(__file__).with_name("locustfile.py")
WINDOWS = 4


@dataclass(frozen=True)
class SentTurn:
    """A turn as it was sent, and the site's answer: ``accepted``, ``refused``, or none (``unknown``)."""

    code: str
    person: str
    version: int
    line: str
    said: str


@dataclass
class TurnLedger:
    """Turns that all users sent."""

    sent: list[SentTurn] = field(default_factory=list)

    def count(self, said: str) -> int:
        return sum(one.said == said for one in self.sent)

    def find_unreasoned(self) -> list[SentTurn]:
        """Return turns that were refused although no other turn from the same page was accepted."""
        accepted = {(one.code, one.version, one.person) for one in self.sent if one.said == "accepted"}
        refused = [one for one in self.sent if one.said == "refused"]
        return [one for one in refused if (one.code, one.version, one.person) not in accepted]

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(one) for one in self.sent]


@dataclass
class LoadStatistics:
    """Locust's own statistics: failures and users' exceptions."""

    failures: Sequence[Mapping[str, Any]] = ()
    exceptions: Sequence[str] = ()

    def count_failures(self, error: str) -> int:
        """Count the failed requests whose error contains *error*."""
        return sum(one["occurrences"] for one in self.failures if error in one["error"])


class Swarm:
    """Process of Locust."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self.folder, self.process = folder, process
        self._lock = threading.Lock()

    def call(self, person: str, board: str) -> None:
        """Call somebody, by name or mail address, to play at a board."""
        assert self.process.stdin is not None
        with self._lock, suppress(BrokenPipeError, ValueError):  # mails come after its end, too
            self.process.stdin.write(json.dumps([person, board]).encode() + b"\n")
            self.process.stdin.flush()

    def end(self, seconds: float = 120) -> None:
        """Let Locust stop its users and print its statistics."""
        self.process.terminate()
        self.process.wait(seconds)

    def wait_for_turns(self, number: int, seconds: float) -> None:
        """Wait until so many turns were accepted.

        :raises TimeoutError: there were fewer after so many *seconds*
        """

        def are_there() -> bool:
            return self.read_ledger().count("accepted") >= number

        stack.until(are_there, seconds, f"{number} turns", every=0.05)

    def read_ledger(self) -> TurnLedger:
        lines = (self.folder / "ledger").read_text().splitlines()
        return TurnLedger([SentTurn(*json.loads(line)) for line in lines])

    def read_statistics(self) -> LoadStatistics:
        """Read the statistics of the whole run."""
        return LoadStatistics(**json.loads((self.folder / "statistics").read_text()))


@contextmanager
def swarm(
    site: stack.Stack,
    ready: Mapping[str, Any],
    *,
    think: float,
    finish: int,
) -> Iterator[Swarm]:
    """Run Locust with the users of ``locustfile``, who play what ``tables`` made *ready*.

    There is one user for each person; players who answer calls have one for each of ``WINDOWS`` windows of
    one browser. They take *think* times as long as people do, and at the end have so many seconds to
    *finish*.
    """
    folder = Path(tempfile.mkdtemp(prefix="locust-", dir=site.folder))
    people = [{**person, "number": number} for number, person in enumerate(ready["people"])]
    people = [person for person in people for _window in range(WINDOWS if person["by_mail"] else 1)]
    (folder / "setup").write_text(json.dumps({"people": people, "port": site.web_port, "think": think}))
    (folder / "ledger").touch()
    users, log = len(people), site.folder / "locust.log"
    options = f"--headless --only-summary --users {users} --spawn-rate {users} --stop-timeout {finish}"
    options += f" --logfile {log} --locustfile {LOCUSTFILE}"
    process = subprocess.Popen(
        [sys.executable, "-m", "locust", *options.split()],
        cwd=stack.ROOT,
        env=os.environ | {"LOAD_FOLDER": str(folder)},
        stdin=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        stack.until(lambda: (folder / "spawned").exists(), 60, "Locust's users")
        yield Swarm(folder, process)
    finally:
        process.kill()
        process.wait()
