"""How much a site carries: ``python -m benchmarks.load``.

Four measurements on one machine, in one run, each over the wire:

1. turns with page and mail: a turn that was put together before is sent, the page after it is the answer, and
   a mail with a picture goes to the next player;
2. between them the bare view (``bare``), by the same processes: there are at least a seventh as many turns a
   second as its requests;
3. turns without mails on one core with one web process, and on two with two: 1.7 times as many;
4. people as they are, at a given rate: how long they wait.

Each web process has a port of its own; the generator asks the one that the proxy would (``deploy/proxy``).

The machine may become slower or quicker meanwhile: the bare view is measured between the turns, and one web
process before and after two.

What others on the machine, and the generator itself, take of the site's cores is counted (``/proc/stat``),
and rates are compared as if the site had had them, too. What waits for anything else counts against the site.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.load import postbox, stack
from benchmarks.load.browser import Form, Site, Tally
from benchmarks.load.people import Crowd, Habits, Ledger, Person

LEAST = 1 / 7  # turns with page and mail, for each request of the bare view
SCALES = 1.7  # as many turns with two web processes as with one
# What a turn costs whose page comes in two requests, where scripts are off, ``benchmarks.turns`` says.
AT_ONCE = Habits(think=0.0, double_clicks=0.0, old_pages=0.0, talk=0.0, news=0.0, without_scripts=0.0)
SETTINGS = {"SWEEP_SECONDS": "30"}
THREADS = 12
GAMES = 120
"""By default: fewer than a process remembers positions of (``games.play.positions``). In life the requests of
one turn follow each other; here each comes after those of all other games."""
BARE_SECONDS = 2.0  # after each burst of turns
AHEAD = 16
"""Turns whose mails may still be on their way: a site that falls behind with mails carries no more turns."""


class Measured(NamedTuple):
    """What happened in so many ``seconds``, and the processor time that it took, by part."""

    seconds: float
    turns: int
    requests: int
    mails: int
    cpu: dict[str, float]
    cores: int
    others: float
    """Seconds of processor time that others, and the generator, took of the site's cores."""

    @property
    def rate(self) -> float:
        return self.turns / self.seconds

    def with_all(self, number: int) -> float:
        """So many things as a rate a second, had nobody else and no generator used the site's cores."""
        return number / (self.seconds - self.others / self.cores)

    def costs(self) -> str:
        """Milliseconds of processor time for each turn, by part."""
        of = max(1, self.turns or self.requests)
        parts = ((name, 1000 * spent / of) for name, spent in self.cpu.items())
        return ", ".join(f"{name} {cost:.1f}" for name, cost in sorted(parts, key=lambda one: -one[1]))


def together(parts: Sequence[Measured]) -> Measured:
    """What happened in all *parts*, which ran on as many cores."""
    return Measured(
        sum(one.seconds for one in parts),
        sum(one.turns for one in parts),
        sum(one.requests for one in parts),
        sum(one.mails for one in parts),
        {name: sum(one.cpu.get(name, 0.0) for one in parts) for name in parts[0].cpu},
        parts[0].cores,
        sum(one.others for one in parts),
    )


@dataclass
class Bench:
    """A site that was set up, and those who use it."""

    site: stack.Stack
    box: postbox.Postbox
    ready: Mapping[str, Any]
    warm: float
    seconds: float
    cores: Sequence[int]
    webs: dict[str, int] = field(default_factory=dict)
    """The ports of the web processes that run, by their names."""
    faults: list[str] = field(default_factory=list)

    @contextmanager
    def processes(self, web: int, *, alone: bool = False, **environment: str) -> Iterator[None]:
        """So many *web* processes, and unless they are *alone*, the site's others."""
        others = {name: one for name, one in self.ready["commands"].items() if name != "web" and not alone}
        self.webs = self.site.start_webs(self.ready["commands"]["web"], web, **environment)
        self.site.start_site(others, **environment)
        try:
            yield
        finally:
            self.site.stop(*self.webs, *others)

    def crowd(self, habits: Habits, ledger: Ledger, *, by_mail: bool | None = None) -> Crowd:
        """Everybody; *by_mail* says for all whether they wait to be called."""
        web = Site(*self.webs.values())
        people = [
            Person(web, ledger, habits, number, known if by_mail is None else {**known, "by_mail": by_mail})
            for number, known in enumerate(self.ready["people"])
        ]
        return Crowd(web, people, threads=THREADS)

    def measure(
        self, crowd: Crowd, ledger: Ledger, seconds: float, *, first: int = 0, cores: Sequence[int] = ()
    ) -> Measured:
        """What *crowd*, which has begun, does after it has warmed up, and played so many turns *first*. The
        site runs on these *cores*; where there are others, the generator runs there."""
        stack.until(lambda: ledger.accepted() >= first, 300, f"the first {first} turns")
        time.sleep(self.warm)
        with self.counting(crowd, ledger, cores or self.cores) as counted:
            time.sleep(seconds)
        crowd.end(60)
        self.note(crowd.site.tally, ledger)
        return counted[0]

    @contextmanager
    def counting(self, crowd: Crowd, ledger: Ledger, cores: Sequence[int]) -> Iterator[list[Measured]]:
        """Gives a list in which stands, after the block, what happened in it."""
        counted: list[Measured] = []
        tally = crowd.site.tally
        tally.clear()
        turns, mails, cpu, busy = ledger.accepted(), self.box.mails, self._cpu(), stack.busy_seconds(cores)
        began = time.monotonic()
        yield counted
        took, after = time.monotonic() - began, self._cpu()
        spent = {name: after[name] - cpu[name] for name in after}
        ours = sum(seconds for name, seconds in spent.items() if name != "generator")
        counted.append(
            Measured(
                took,
                ledger.accepted() - turns,
                tally.requests(),
                self.box.mails - mails,
                spent,
                len(cores),
                max(0.0, stack.busy_seconds(cores) - busy - ours),
            )
        )

    def note(self, tally: Tally, ledger: Ledger) -> None:
        """Keep what went wrong."""
        self.faults += [f"{what} ({count} times)" for what, count in tally.failures.items()]
        self.faults += tally.stuck + tally.strange
        self.faults += [f"refused without a reason: {one}" for one in ledger.refused()]

    def _cpu(self) -> dict[str, float]:
        spent = self.site.cpu()
        web = sum(spent.pop(name) for name in self.webs)
        return spent | {"web": web, "generator": time.process_time()}


# ------------------------------------------------------------------------------------------ what is measured


class Compared(NamedTuple):
    """The bare view and turns, asked for in turn."""

    bare: Measured
    turns: Measured


def turns_beside_bare(bench: Bench) -> Compared:
    """In each game a turn is put together; then all are sent as fast as mails keep up, whose mails call the
    next ones. Between two such bursts the bare view is asked for, of the same processes: so whatever makes
    the machine slower for a while makes both so."""
    ledger, box, games = Ledger(), bench.box, len(bench.ready["seats"])
    called: list[tuple[str, str]] = []
    box.reader = lambda address, board: called.append((address, board))
    with (
        bench.processes(2, DJANGO_SETTINGS_MODULE="benchmarks.load.bare_settings"),
        ThreadPoolExecutor(THREADS) as pool,
    ):
        crowd = bench.crowd(AT_ONCE, ledger, by_mail=True)

        def composed(call: tuple[str, str]) -> tuple[Person, str, Form] | None:
            person = crowd.by_address[call[0]]
            form = drained(person.compose(call[1]))
            return None if form is None else (person, call[1], form)

        def played(seconds: float) -> Compared:
            """Bursts for so many *seconds*, one at least."""
            turns: list[Measured] = []
            bare: list[Measured] = []
            began = time.monotonic()
            while time.monotonic() < began + seconds or not turns:
                calls, called[:] = sorted(set(called)), []
                ready = [one for one in pool.map(composed, calls) if one is not None]
                turns.append(_burst(bench, crowd, ledger, pool, ready))
                bare.append(_bare(bench, crowd, ledger, pool))
            return Compared(together(bare), together(turns))

        stack.until(lambda: len({board for _address, board in called}) >= games, 120, "the first mails")
        time.sleep(bench.warm)  # whoever is not the first is told, too, that the game has begun
        played(bench.warm)  # meanwhile the processes learn the site: each draws each tile once in its life
        compared = played(bench.seconds)
    box.reader = None
    crowd.site.stopping.set()
    bench.note(crowd.site.tally, ledger)
    return compared


def _bare(bench: Bench, crowd: Crowd, ledger: Ledger, pool: ThreadPoolExecutor) -> Measured:
    """The bare view, as fast as twelve people at once can ask."""

    def asking(person: Person) -> None:
        token = next(value for name, value in person.browser.cookies.items() if "csrf" in name)
        fields = {"csrfmiddlewaretoken": token, "game": str(bench.ready["some_game"]), "text": "Toulouse"}
        while time.monotonic() < end:
            answer = person.browser.post("bare", Form("/bare/", fields))
            assert answer.status == 200, answer.status

    with bench.counting(crowd, ledger, bench.cores) as counted:
        end = time.monotonic() + BARE_SECONDS
        for _ in pool.map(asking, crowd.people[:THREADS]):
            pass
    return counted[0]


def _burst(
    bench: Bench,
    crowd: Crowd,
    ledger: Ledger,
    pool: ThreadPoolExecutor,
    ready: Sequence[tuple[Person, str, Form]],
) -> Measured:
    """Send what is *ready*, never far ahead of the mails, and wait for the last of these. Counted is what
    happens while turns and mails go on side by side: from the first mails until the last turn is played."""
    box, told = bench.box, bench.box.reader
    mails, before = box.mails, ledger.accepted()
    ahead = threading.Semaphore(AHEAD)

    def mailed(address: str, board: str) -> None:
        if told is not None:
            told(address, board)
        ahead.release()

    def sent(turn: tuple[Person, str, Form]) -> None:
        person, board, form = turn
        if not ahead.acquire(timeout=120):
            raise TimeoutError("the mails of earlier turns: not within 120 s")
        person.send(board, form)

    box.reader = mailed
    sending = [pool.submit(sent, turn) for turn in ready]
    begun = mails + min(AHEAD, len(ready) // 2)
    stack.until(lambda: box.mails >= begun, 120, "the first mails of a burst", every=0.01)
    with bench.counting(crowd, ledger, bench.cores) as counted:
        for turn in sending:
            turn.result()
    expected = mails + ledger.accepted() - before
    stack.until(lambda: box.mails >= expected, 120, "the mails of all turns", every=0.01)
    box.reader = told
    return counted[0]


def drained(going_on: Generator[float, None, Form | None]) -> Form | None:
    """What comes of it, without a pause."""
    while True:
        try:
            next(going_on)
        except StopIteration as end:
            result: Form | None = end.value
            return result


def without_mail(bench: Bench, web: int, cores: Sequence[int]) -> Measured:
    """Each turn calls the next player by itself; so many *web* processes, the whole site on these *cores*."""
    ledger = Ledger()
    others = [core for core in bench.cores if core not in cores]
    with bench.processes(web, alone=True):
        bench.site.pin([*bench.webs, "postgresql", "redis"], cores)
        own = os.sched_getaffinity(0)
        os.sched_setaffinity(0, others or own)
        crowd = bench.crowd(AT_ONCE, ledger, by_mail=True)
        ledger.accept = _calling(bench, crowd)
        _call_all(bench, crowd)
        crowd.begin()
        try:
            first = len(bench.ready["seats"])
            return bench.measure(crowd, ledger, bench.seconds / 2, first=first, cores=cores)
        finally:
            os.sched_setaffinity(0, own)
            bench.site.pin(["postgresql", "redis"], bench.cores)


def _call_all(bench: Bench, crowd: Crowd, seconds: float = 0.0) -> None:
    """Let whoever waits to be called look at each of their boards within so many *seconds*, whoever's turn it
    is there."""
    people = {person.name: person for person in crowd.people if person.by_mail}
    boards = [(name, f"/g/{code}/") for code, names in bench.ready["seats"].items() for name in names]
    for number, (name, board) in enumerate(boards):
        if name in people:
            crowd.add(people[name].called(board), seconds * number / len(boards))


def _calling(bench: Bench, crowd: Crowd) -> Callable[[str, str], None]:
    """What calls the others at the table when somebody's turn is accepted."""
    people = {person.name: person for person in crowd.people}

    def call(code: str, mover: str) -> None:
        for name in bench.ready["seats"][code]:
            if name != mover:
                crowd.add(people[name].called(f"/g/{code}/"))

    return call


def as_they_are(bench: Bench, rate: float) -> tuple[Measured, Tally]:
    """People who think, at about so many turns a second, some called by mails, some not; and how long they
    waited."""
    ledger = Ledger()
    # In a visit there is a turn to be played more often than not.
    looking = sum(not known["by_mail"] for known in bench.ready["people"])
    habits = Habits(think=0.1, pause=10 * max(1, looking) / rate)
    with bench.processes(2):
        crowd = bench.crowd(habits, ledger)
        bench.box.reader = crowd.mail
        _call_all(bench, crowd, bench.warm)
        crowd.begin()
        try:
            return bench.measure(crowd, ledger, bench.seconds), crowd.site.tally
        finally:
            bench.box.reader = None


# ------------------------------------------------------------------------------------------ the run


def run(*, games: int, seconds: float, warm: float, rate: float, keep: Path | None) -> bool:
    """Measure and say; whether all bounds hold."""
    box = postbox.Postbox()
    cores = sorted(os.sched_getaffinity(0))
    with (
        stack.ended_by_sigterm(),
        postbox.listening(box) as mail_port,
        stack.stack(mail_port, keep, **SETTINGS) as site,
    ):
        wanted = {"people": max(4, games // 2), "by_mail": 0.5, "games": games, "seats": 2, "seed": 1}
        ready = site.run("benchmarks.load.tables", wanted | {"undo": False})
        bench = Bench(site, box, ready, warm, seconds, cores)
        print(f"load      {games} games of two, PostgreSQL and Redis, {len(cores)} cores, generator included")
        reference, mailed = turns_beside_bare(bench)
        asked = reference.with_all(reference.requests)
        print(
            f"          {reference.requests / reference.seconds:7.1f} requests/s of the bare view,"
            f" {asked:.1f} with all cores to itself; ms of processor each: {reference.costs()}"
        )
        played = mailed.with_all(min(mailed.turns, mailed.mails))
        held = played >= LEAST * asked
        print(
            f"          {mailed.rate:7.1f} turns/s with page and mail"
            f" ({mailed.requests / max(1, mailed.turns):.1f} requests,"
            f" {mailed.mails / max(1, mailed.turns):.2f} mails a turn),"
            f" {played:.1f} with all cores to itself:"
            f" one to {asked / max(0.01, played):.1f} bare requests (ceiling {1 / LEAST:.0f})"
        )
        print(f"          ms of processor a turn: {mailed.costs()}")
        if len(cores) < 2:
            print("          one core alone: nothing can be said of two web processes")
        else:
            held &= _scales(bench, cores)
        _told(*as_they_are(bench, rate), rate)
        for fault in bench.faults[:20]:
            print(f"FAULT     {fault[:300]}")
        return held and not bench.faults


def _scales(bench: Bench, cores: Sequence[int]) -> bool:
    parts = [(web, without_mail(bench, web, cores[:web])) for web in (1, 2, 2, 1)]
    one, two = (together([part for web, part in parts if web == number]) for number in (1, 2))
    ratio = two.with_all(two.turns) / max(0.01, one.with_all(one.turns))
    print(
        f"          {one.rate:7.1f} turns/s without mail with one web process on one core,"
        f" {two.rate:.1f} with two on two; with these cores to itself {one.with_all(one.turns):.1f}"
        f" and {two.with_all(two.turns):.1f}: {ratio:.2f} times (floor {SCALES})"
    )
    print(f"          ms of processor a turn with one: {one.costs()}")
    print(f"          ms of processor a turn with two: {two.costs()}")
    return ratio >= SCALES


def _told(done: Measured, tally: Tally, rate: float) -> None:
    """Say how long people waited."""
    print(
        f"          people as they are: {done.rate:.1f} turns/s (asked for {rate:.0f}),"
        f" {done.requests / done.seconds:.1f} requests/s, {done.mails / done.seconds:.1f} mails/s;"
        f" cores busy: {', '.join(f'{name} {spent / done.seconds:.2f}' for name, spent in done.cpu.items())}"
    )
    for kind, times in sorted(tally.latencies.items()):
        times = sorted(times)
        p50, p95, p99 = (
            1000 * times[min(len(times) - 1, int(part * len(times)))] for part in (0.5, 0.95, 0.99)
        )
        print(f"          {kind:14} {len(times):6d} times, p50 {p50:5.0f} p95 {p95:5.0f} p99 {p99:5.0f} ms")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seconds", type=float, default=40, help="of each measurement")
    parser.add_argument("--warm", type=float, default=10, help="seconds before each")
    parser.add_argument("--rate", type=float, default=5, help="turns a second of people as they are")
    parser.add_argument("--keep", type=Path, help="a folder for logs")
    try:
        return 0 if run(**vars(parser.parse_args(arguments))) else 1
    except stack.Missing as missing:
        print(missing)
    except subprocess.CalledProcessError as error:
        print(f"{error.cmd[-1]} failed; see above")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
