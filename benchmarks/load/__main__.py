"""Capacity of a site: ``python -m benchmarks.load``.

Four measurements on one machine, in one run, each over HTTP, with Locust's users (``locustfile``):

1. turns with page and mail: a turn that was composed before is sent, the page after it is the response, and
   a mail with a picture goes to the next player;
2. between them the bare view (``bare``), by the same processes: there are at least a seventh as many turns a
   second as its requests;
3. turns without mails on one core with one web process, and on two with two: 1.7 times as many;
4. realistic players, at a given rate: Locust prints how long they wait.

Each web process has a port of its own; the users choose any, as the proxies do (``deploy/proxy``).

The machine may become slower or quicker meanwhile: the bare view is measured between the turns, and one web
process before and after two.

Time that other processes, and Locust itself, take of the site's cores is counted (``/proc/stat``), and rates
are compared as if the site had had it, too. Waiting for anything else counts against the site.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.load import postbox, stack
from benchmarks.load.swarm import AT_ONCE, WINDOWS, Swarm, swarm

LEAST = 1 / 7  # turns with page and mail, for each request of the bare view
SCALES = 1.7  # as many turns with two web processes as with one
SETTINGS = {"SWEEP_SECONDS": "30"}
BARE_CALLERS = 12
GAMES = 120
"""Default number of games: fewer than a process caches positions of (``games.play.positions``). In production
the requests of one turn follow each other; here each comes after those of all other games."""
BARE_SECONDS = 2.0  # after each burst of turns
AHEAD = 16
"""Maximum number of turns whose mails are on their way: a site behind with mails carries no more turns."""


class Measured(NamedTuple):
    """Counts of one measurement of so many ``seconds``, and its processor time by part."""

    seconds: float
    turns: int
    requests: int
    mails: int
    cpu: dict[str, float]
    cores: int
    others: float
    """Seconds of processor time that others, and Locust, took of the site's cores."""

    @property
    def rate(self) -> float:
        return self.turns / self.seconds

    def with_all(self, number: int) -> float:
        """The rate a second of *number* things, if the site had had its cores to itself."""
        own = sum(spent for name, spent in self.cpu.items() if name != "Locust")
        # Counts of a short burst on a crowded machine are inexact: the site had at least what it took.
        return number / max(self.seconds - self.others / self.cores, own / self.cores)

    def costs(self) -> str:
        """Milliseconds of processor time for each turn, by part."""
        of = max(1, self.turns or self.requests)
        parts = ((name, 1000 * spent / of) for name, spent in self.cpu.items())
        return ", ".join(f"{name} {cost:.1f}" for name, cost in sorted(parts, key=lambda one: -one[1]))


def add_up(parts: Sequence[Measured]) -> Measured:
    """The sum of *parts*, which ran on the same number of cores."""
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
    """Prepared site, with the faults found in it."""

    site: stack.Stack
    box: postbox.Postbox
    ready: Mapping[str, Any]
    warm: float
    seconds: float
    cores: Sequence[int]
    webs: dict[str, int] = field(default_factory=dict)
    """Ports of the running web processes, by name."""
    faults: list[str] = field(default_factory=list)

    @contextmanager
    def processes(self, web: int, *, alone: bool = False, **environment: str) -> Iterator[None]:
        """Run so many *web* processes and, unless they are *alone*, the site's other processes."""
        others = {name: one for name, one in self.ready["commands"].items() if name != "web" and not alone}
        self.webs = self.site.start_webs(self.ready["commands"]["web"], web, **environment)
        self.site.start_site(others, **environment)
        try:
            yield
        finally:
            self.site.stop(*self.webs, *others)

    def swarm(self, users: str, **more: Any) -> AbstractContextManager[Swarm]:
        """Run users of this class against the running web processes."""
        return swarm(self.site, self.ready, users, ports=self.webs.values(), **more)

    def measure(self, users: Swarm, wait: Callable[[], None], cores: Sequence[int] = ()) -> Measured:
        """Measure *users* until *wait* returns, and end them. The site runs on these *cores*."""
        cores = cores or self.cores
        mails, cpu, busy = self.box.mails, self._cpu(users), stack.busy_seconds(cores)
        users.begin()
        began = time.monotonic()
        wait()
        took, after = time.monotonic() - began, self._cpu(users)
        mails, busy = self.box.mails - mails, stack.busy_seconds(cores) - busy
        spent = {name: after[name] - cpu[name] for name in after}
        users.end()
        figures, ledger = users.read_statistics(), users.read_ledger()
        self.faults += [
            f"{one['name']}: {one['error']} ({one['occurrences']} times)" for one in figures.failures
        ]
        self.faults += figures.exceptions
        self.faults += [f"refused without a reason: {one}" for one in ledger.find_unreasoned()]
        others = max(0.0, busy - sum(spent.values()) + spent["Locust"])
        turns, requests = figures.count("POST turn"), figures.count_all()
        return Measured(took, turns, requests, mails, spent, len(cores), others)

    def _cpu(self, users: Swarm) -> dict[str, float]:
        spent = self.site.cpu()
        web = sum(spent.pop(name) for name in self.webs)
        return spent | {"web": web, "Locust": stack.cpu_seconds(users.process.pid)}


# ------------------------------------------------------------------------------------------ what is measured


class Compared(NamedTuple):
    """Measurements of the bare view and of turns, taken alternately."""

    bare: Measured
    turns: Measured


def measure_turns_beside_bare(bench: Bench) -> Compared:
    """Measure bursts of turns and requests of the bare view alternately, by the same processes.

    A turn is composed in each game; then all are sent as fast as mails keep up, whose mails call the next
    players. Whatever slows the machine for a while slows both.
    """
    called: set[tuple[str, str]] = set()

    def alternate(seconds: float) -> Compared:
        """Bursts for so many *seconds*, one at least."""
        turns: list[Measured] = []
        bare: list[Measured] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end or not turns:
            turns.append(_send_burst(bench, called))
            with bench.swarm("BareCaller", most=BARE_CALLERS) as callers:
                bare.append(bench.measure(callers, lambda: time.sleep(BARE_SECONDS)))
        return Compared(add_up(bare), add_up(turns))

    bench.box.reader = lambda address, board: called.add((address, board))
    with bench.processes(2, DJANGO_SETTINGS_MODULE="benchmarks.load.bare_settings"):
        games = len(bench.ready["seats"])
        stack.until(lambda: len({board for _address, board in called}) >= games, 120, "the first mails")
        time.sleep(bench.warm)  # the other players get the notice of the beginning, too
        alternate(bench.warm)  # warms up the processes: each draws each tile once
        compared = alternate(bench.seconds)
    bench.box.reader = None
    return compared


def _send_burst(bench: Bench, called: set[tuple[str, str]]) -> Measured:
    """Send the turns of all who are *called*, never far ahead of the mails, and wait for the last of these,
    which call the next. Only the time when turns and mails go on side by side is measured: from the first
    mails until the last turn is answered."""
    box, tell = bench.box, bench.box.reader
    with bench.swarm("SimulatedPlayer", habits=AT_ONCE, by_mail=True, finish=60) as players:
        ready = players.compose(called, 120)
        called.clear()
        mails, number = box.mails, len(ready)

        def send_next(*mail: str) -> None:
            if mail and tell is not None:
                tell(*mail)
            if ready:
                players.call(*ready.pop(), "send")

        box.reader = send_next
        ahead = min(AHEAD, 1 + number // 4)
        for _ in range(ahead):
            send_next()
        stack.until(lambda: box.mails >= mails + ahead, 120, "the first mails of a burst", every=0.01)
        counted = bench.measure(players, lambda: players.wait_for_turns(number, 120))
    stack.until(lambda: box.mails >= mails + number, 120, "the mails of all turns", every=0.01)
    box.reader = tell
    return counted


def measure_without_mail(bench: Bench, web: int, cores: Sequence[int]) -> Measured:
    """Measure turns that call the next player directly, with *web* processes and the site on *cores*."""
    others = [core for core in bench.cores if core not in cores]
    seats = bench.ready["seats"]
    with bench.processes(web, alone=True):
        bench.site.pin([*bench.webs, "postgresql", "redis"], cores)
        with bench.swarm(
            "SimulatedPlayer", habits=AT_ONCE, by_mail=True, call_by_turns=True, cores=others
        ) as players:
            players.call_all(seats)
            players.wait_for_turns(len(seats), 300)
            time.sleep(bench.warm)
            counted = bench.measure(players, lambda: time.sleep(bench.seconds / 2), cores)
        bench.site.pin(["postgresql", "redis"], bench.cores)
    return counted


def measure_people_as_they_are(bench: Bench, rate: float) -> Measured:
    """Measure players who take time to think, at about *rate* turns a second, some called by mails."""
    # In a visit there is a turn to be played more often than not.
    looking = sum(not known["by_mail"] for known in bench.ready["people"])
    habits = {"think": 0.1, "pause": 10 * max(1, looking) / rate}
    with (
        bench.processes(2),
        bench.swarm("SimulatedPlayer", habits=habits, windows=WINDOWS, quiet=False) as players,
    ):
        bench.box.reader = players.call
        players.call_all(bench.ready["seats"])
        time.sleep(bench.warm)
        print("          people as they are:", flush=True)
        try:
            return bench.measure(players, lambda: time.sleep(bench.seconds))
        finally:
            bench.box.reader = None


# ------------------------------------------------------------------------------------------ the run


def run(*, games: int, seconds: float, warm: float, rate: float, keep: Path | None) -> bool:
    """Measure and print; return whether all bounds hold."""
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
        print(f"load      {games} games of two, PostgreSQL and Redis, {len(cores)} cores, Locust included")
        reference, mailed = measure_turns_beside_bare(bench)
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
            held &= _compare_processes(bench, cores)
        done = measure_people_as_they_are(bench, rate)
        busy = ", ".join(f"{name} {spent / done.seconds:.2f}" for name, spent in done.cpu.items())
        print(
            f"          {done.rate:.1f} turns/s (asked for {rate:.0f}),"
            f" {done.mails / done.seconds:.1f} mails/s; cores busy: {busy}"
        )
        for fault in bench.faults[:20]:
            print(f"FAULT     {fault[:300]}")
        return held and not bench.faults


def _compare_processes(bench: Bench, cores: Sequence[int]) -> bool:
    parts = [(web, measure_without_mail(bench, web, cores[:web])) for web in (1, 2, 2, 1)]
    one, two = (add_up([part for web, part in parts if web == number]) for number in (1, 2))
    ratio = two.with_all(two.turns) / max(0.01, one.with_all(one.turns))
    print(
        f"          {one.rate:7.1f} turns/s without mail with one web process on one core,"
        f" {two.rate:.1f} with two on two; with these cores to itself {one.with_all(one.turns):.1f}"
        f" and {two.with_all(two.turns):.1f}: {ratio:.2f} times (floor {SCALES})"
    )
    print(f"          ms of processor a turn with one: {one.costs()}")
    print(f"          ms of processor a turn with two: {two.costs()}")
    return ratio >= SCALES


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
