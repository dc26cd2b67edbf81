"""Memory growth of a web worker: ``python -m benchmarks.load.memory [REQUESTS]``, 50,000 by default.

Locust sends requests to one web process of a site with PostgreSQL and Redis: players of all languages look at
their games and play, and strangers open lists, leagues, rules, and boards of more games than the process can
cache (``games/process_cache.py``), and poll for news. Resident memory (RSS) is read 50 times. From a tenth of
the requests on, when all caches are full, it may grow to ``GROWTH`` times its size; and in the second half by
no more than ``SLOPE`` bytes a request, so that it would not go on growing either.

Exit 1 if a bound is missed. Needs Linux (``/proc``), and 15 minutes of two cores.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.load import postbox, stack
from benchmarks.load.swarm import swarm

GROWTH = 1.05
SLOPE = 100.0  # bytes a request
SAMPLES = 50
PEOPLE = 60
ON_THE_WAY = {60: 150, 36: 150, 10: 150, 0: 50}  # games, by the tiles that are left
HASTY = {"think": 0.01, "pause": 3000.0}  # about as many visits as strangers make


class Sample(NamedTuple):
    """Resident memory in bytes after so many requests."""

    requests: int
    resident: int


def growth(samples: Sequence[Sample]) -> float:
    """The ratio of the last tenth of *samples* to the tenth that follows the first."""
    tenth = max(1, len(samples) // 10)
    after = samples[tenth - 1 :]
    begin, end = after[:tenth], after[-tenth:]
    return statistics.mean(one.resident for one in end) / statistics.mean(one.resident for one in begin)


def slope(samples: Sequence[Sample]) -> float:
    """The growth of the second half of *samples* in bytes a request."""
    half = samples[len(samples) // 2 :]
    line = statistics.linear_regression([one.requests for one in half], [one.resident for one in half])
    return float(line.slope)


def resident(pid: int) -> int:
    """The resident memory of a process in bytes."""
    [kilobytes] = re.findall(r"^VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(kilobytes) * 1024


def measure_memory(requests: int) -> list[Sample]:
    """Run the load once and return the samples."""
    box = postbox.Postbox()
    with (
        stack.ended_by_sigterm(),
        postbox.listening(box) as mail_port,
        stack.stack(mail_port) as running,
    ):
        wanted = {"people": PEOPLE, "by_mail": 0.0, "games": 50, "seats": 2, "seed": 1, "languages": True}
        more = {"on_the_way": ON_THE_WAY, "divisions": PEOPLE // 4}
        ready = running.run("benchmarks.load.tables", wanted | more)
        running.start_site({"web": ready["commands"]["web"]})
        [worker] = running.parts["web"].pids()[-1:]
        classes = "SimulatedPlayer", "Stranger"
        with swarm(running, ready, *classes, habits=HASTY, quiet=False) as users:
            samples = []
            for number in range(1, SAMPLES + 1):
                wait = requests * number // SAMPLES
                stack.until(lambda wait=wait: users.count_requests() >= wait, 3600, f"{wait} requests")  # type: ignore[misc]
                samples.append(Sample(users.count_requests(), resident(worker)))
                if number % (SAMPLES // 10) == 0:
                    last = samples[-1]
                    print(f"memory    {last.resident / 2**20:6.1f} MB RSS  after {last.requests} requests")
            spent = running.parts["web"].cpu() / users.count_requests()
            users.end()
        print(f"memory    {1000 * spent:.1f} ms of processor for each request")
        exceptions = users.read_statistics().exceptions
        if running.parts["web"].pids()[-1:] != [worker] or exceptions:
            raise RuntimeError(f"the web process did not last, or failed: {exceptions[:3]}")
        return samples


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load.memory", description=__doc__)
    parser.add_argument("requests", type=int, nargs="?", default=50_000)
    asked = parser.parse_args(arguments)
    try:
        samples = measure_memory(asked.requests)
    except stack.Missing as missing:
        print(missing)
        return 2
    grown, steady = growth(samples), slope(samples)
    print(f"memory    grown {grown:.3f} times from a tenth of the requests to the end, at most {GROWTH}")
    print(f"memory    {steady:.0f} bytes a request in the second half, at most {SLOPE:.0f}")
    return 0 if grown <= GROWTH and steady <= SLOPE else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
