"""Control of Locust, which runs ``locustfile`` in a process of its own, and its results."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.load import stack

LOCUSTFILE = Path(__file__).with_name("locustfile.py")
WINDOWS = 4
# Users who do at once what is asked of them, and nothing else.
AT_ONCE = dict.fromkeys(("think", "double_clicks", "old_pages", "talk", "news", "without_scripts"), 0.0)


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
    """Locust's own statistics: ``StatsEntry.to_dict`` by method and name, failures and users' exceptions."""

    entries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    failures: Sequence[Mapping[str, Any]] = ()
    exceptions: Sequence[str] = ()

    def count(self, entry: str) -> int:
        """Count the answered requests of an *entry* like ``POST turn``."""
        one = self.entries.get(entry, {})
        return int(one.get("num_requests", 0)) - int(one.get("num_failures", 0))

    def count_all(self) -> int:
        return sum(self.count(entry) for entry in self.entries if not entry.startswith("AGAIN"))

    def count_failures(self, *, name: str = "", error: str = "") -> int:
        """Count the failed requests of this *name*, or of all, whose error contains *error*."""
        failed = [one for one in self.failures if name in ("", one["name"]) and error in one["error"]]
        return sum(one["occurrences"] for one in failed)


class Swarm:
    """Process of Locust."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self.folder, self.process = folder, process
        self._lock = threading.Lock()

    def _order(self, order: Any) -> None:
        assert self.process.stdin is not None
        with self._lock, suppress(BrokenPipeError, ValueError):  # mails come after its end, too
            self.process.stdin.write(json.dumps(order).encode() + b"\n")
            self.process.stdin.flush()

    def call(self, person: str, board: str, to: str = "play") -> None:
        """Call somebody, by name or mail address, to a board: *to* ``play`` there, only to ``compose`` a
        turn, or to ``send`` what was composed."""
        self._order([person, board, to])

    def call_all(self, seats: Mapping[str, Sequence[str]]) -> None:
        """Call all players to each of their boards, also those who are not on turn."""
        for code, names in seats.items():
            for name in names:
                self.call(name, f"/g/{code}/")

    def begin(self) -> None:
        """Reset the statistics."""
        self._order("begin")

    def end(self, seconds: float = 120) -> None:
        """Let Locust stop its users and print its statistics."""
        self.process.terminate()
        self.process.wait(seconds)

    def compose(self, calls: Collection[tuple[str, str]], seconds: float) -> list[tuple[str, str]]:
        """Call players (by mail address, to a board) to compose a turn; return those who have one.

        :raises TimeoutError: not all have answered within so many *seconds*
        """
        composed = self.folder / "composed"
        for person, board in calls:
            self.call(person, board, "compose")
        stack.until(lambda: composed.read_text().count("\n") == len(calls), seconds, "turns to be composed")
        answers = map(json.loads, composed.read_text().splitlines())
        return [(name, board) for name, board, may_play in answers if may_play]

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

    def count_requests(self) -> int:
        """Count the answered requests so far, up to a second old."""
        with (self.folder / "figures_stats.csv").open() as lines:
            totals = [line for line in csv.DictReader(lines) if line["Name"] == "Aggregated"]
        return int(totals[0]["Request Count"] or 0) if totals else 0

    def read_statistics(self) -> LoadStatistics:
        """Read the statistics of the whole run."""
        return LoadStatistics(**json.loads((self.folder / "statistics").read_text()))


@contextmanager
def swarm(
    site: stack.Stack,
    ready: Mapping[str, Any],
    *classes: str,
    most: int | None = None,
    windows: int = 1,
    ports: Collection[int] = (),
    cores: Collection[int] = (),
    habits: Mapping[str, float] | None = None,
    by_mail: bool | None = None,
    call_by_turns: bool = False,
    finish: int = 0,
    quiet: bool = True,
) -> Iterator[Swarm]:
    """Run Locust with users of these *classes* of ``locustfile``, who play what ``tables`` made *ready*.

    There is one user for each person, at most *most*; players who answer calls have one for each of so many
    *windows* of one browser. *by_mail* says for all whether they wait to be called; with *call_by_turns* each
    accepted turn calls the others at its table. At the end they have so many seconds to *finish*. *quiet*:
    Locust prints no statistics.
    """
    folder = Path(tempfile.mkdtemp(prefix="locust-", dir=site.folder))
    own = {} if by_mail is None else {"by_mail": by_mail}
    people = [{**person, "number": number, **own} for number, person in enumerate(ready["people"])]
    people = [person for person in people for _window in range(windows if person["by_mail"] else 1)]
    users = min(most or len(people), len(people))
    setup = {
        "people": people,
        "seats": ready["seats"],
        "some_game": ready["some_game"],
        "ports": list(ports) or [site.web_port],
        "habits": habits or {},
        "call_by_turns": call_by_turns,
    }
    (folder / "setup").write_text(json.dumps(setup))
    (folder / "ledger").touch()
    (folder / "composed").touch()
    log, figures = site.folder / "locust.log", folder / "figures"
    options = f"--headless --only-summary --users {users} --spawn-rate {users} --stop-timeout {finish}"
    options += f" --csv {figures} --logfile {log} --locustfile {LOCUSTFILE}"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "locust", *options.split(), *classes],
            cwd=stack.ROOT,
            env=os.environ | {"LOAD_FOLDER": str(folder)},
            stdin=subprocess.PIPE,
            stdout=output if quiet else None,
            stderr=subprocess.STDOUT,
        )
    try:
        if cores:
            os.sched_setaffinity(process.pid, cores)
        stack.until(lambda: (folder / "spawned").exists(), 60, "Locust's users")
        yield Swarm(folder, process)
    finally:
        process.kill()
        process.wait()
