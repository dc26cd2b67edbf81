"""Whether the memory of a web worker stays flat: ``python -m benchmarks.load.memory [REQUESTS]``, 50,000 by
default.

One web process of a site with PostgreSQL and Redis is asked by players of all languages, who look at their
games and play, and by strangers, who open lists, leagues, rules, and boards of more games than any memory of
a process holds (``games/memoize.py``), which then ask for news. What is resident (RSS) is read 50 times. From
a tenth of the requests on, when all that is remembered is full, it may grow to ``GROWTH`` times what it was;
and in the second half by no more than ``SLOPE`` bytes a request, so that it would not go on growing either.

Exit 1 where one is missed. Needs Linux (``/proc``), and 15 minutes of two cores.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.load import postbox, stack
from benchmarks.load.browser import Browser, Site, Stuck
from benchmarks.load.people import Habits, Ledger, Person

GROWTH = 1.05
SLOPE = 100.0  # bytes a request
SAMPLES = 50
THREADS = 4
PEOPLE, STRANGERS = 60, 2000
ON_THE_WAY = {60: 150, 36: 150, 10: 150, 0: 50}  # games, by the tiles that are left
AT_ONCE = Habits(think=0.0)
MINUTES = 12  # for which somebody leaves a board open, that asks for news in each
LANGUAGES = ("en", "pl", "sk", "is", "ru")
LISTS = (
    "/",
    "/lobby/",
    "/archive/",
    "/players/",
    "/seats/",
    "/ratings/",
    "/leagues/",
    "/rules/",
    "/help/keys/",
)
LISTS += (
    "/leagues/league-of-the-load/",
    "/leagues/league-of-the-load/1/",
    "/leagues/league-of-the-load/1/1/",
)
OF_A_GAME = ("", "text/", "features/", "scores/", "files/", "draw/", "ply/12/", "board.svg", "record.json")


class Sample(NamedTuple):
    """What was resident, in bytes, after so many requests."""

    requests: int
    resident: int


def growth(samples: Sequence[Sample]) -> float:
    """How many times as much the last tenth of *samples* is as the first after a tenth of them."""
    tenth = max(1, len(samples) // 10)
    after = samples[tenth - 1 :]
    begin, end = after[:tenth], after[-tenth:]
    return statistics.mean(one.resident for one in end) / statistics.mean(one.resident for one in begin)


def slope(samples: Sequence[Sample]) -> float:
    """Bytes for each request by which the second half of *samples* grows."""
    half = samples[len(samples) // 2 :]
    line = statistics.linear_regression([one.requests for one in half], [one.resident for one in half])
    return float(line.slope)


def resident(pid: int) -> int:
    """Bytes of a process that are in memory."""
    [kilobytes] = re.findall(r"^VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(kilobytes) * 1024


class Reader:
    """Somebody who isn't signed in, and looks around: each time from another address."""

    def __init__(self, site: Site, codes: Sequence[str], names: Sequence[str], seed: int) -> None:
        self.site, self.codes, self.names = site, codes, names
        self.chance = random.Random(seed)

    def visit(self) -> None:
        """A list, some page of a player or of a game, and a board that stays open for some minutes."""
        number = PEOPLE + self.chance.randrange(STRANGERS)
        browser = Browser(self.site, number, language=LANGUAGES[number % len(LANGUAGES)])
        for path in (self.chance.choice(LISTS), self.page()):
            browser.get("stranger", path)
        board = f"/g/{self.chance.choice(self.codes)}/"
        news = browser.get("stranger's board", board).watch()
        for _minute in range(MINUTES if news else 0):
            browser.get("news", str(news), part="table", page=board)

    def page(self) -> str:
        if self.chance.random() < 0.2:
            return f"/players/{self.chance.choice(self.names)}/"
        return f"/g/{self.chance.choice(self.codes)}/{self.chance.choice(OF_A_GAME)}"


def measured(requests: int, say: Callable[[str], object] = print) -> list[Sample]:
    """The samples of one run."""
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
        web = Site(running.web_port)
        [worker] = running.parts["web"].pids()[-1:]
        ended = threading.Event()
        threads = [
            threading.Thread(target=_ask, args=(visits, web, ended), daemon=True)
            for visits in _everybody(web, ready)
        ]
        for thread in threads:
            thread.start()
        samples = []
        for number in range(1, SAMPLES + 1):
            wait = requests * number // SAMPLES
            stack.until(lambda wait=wait: web.tally.requests() >= wait, 3600, f"{wait} requests")  # type: ignore[misc]
            samples.append(Sample(web.tally.requests(), resident(worker)))
            if number % (SAMPLES // 10) == 0:
                last = samples[-1]
                say(f"memory    {last.resident / 2**20:6.1f} MB RSS  after {last.requests} requests")
        ended.set()
        for thread in threads:
            thread.join(60)
        _say_what_was_asked(web, say)
        spent = running.parts["web"].cpu() / web.tally.requests()
        say(f"memory    {1000 * spent:.1f} ms of processor for each request")
        if running.parts["web"].pids()[-1:] != [worker] or web.tally.strange:
            raise RuntimeError(f"the web process did not last, or failed: {web.tally.strange[:3]}")
        return samples


def _everybody(web: Site, ready: Mapping[str, Any]) -> Iterator[Iterator[None]]:
    """What each thread does: visits without end, of players and strangers in turn."""
    ledger = Ledger()
    people = [Person(web, ledger, AT_ONCE, number, known) for number, known in enumerate(ready["people"])]
    codes, names = sorted(ready["begun"]), [person.name for person in people]
    for number in range(THREADS):
        own = people[number::THREADS]
        yield _visits(own, Reader(web, codes, names, number), random.Random(number))


def _visits(people: Sequence[Person], stranger: Reader, chance: random.Random) -> Iterator[None]:
    while True:
        for _wait in chance.choice(people).visit():
            pass  # nobody thinks
        yield
        stranger.visit()
        yield


def _ask(visits: Iterator[None], web: Site, ended: threading.Event) -> None:
    while not ended.is_set():
        try:
            next(visits)
        except Stuck as stuck:
            web.tally.strange.append(f"{stuck} was never answered")
            return


def _say_what_was_asked(web: Site, say: Callable[[str], object]) -> None:
    asked = web.tally.statuses
    kinds = sorted({kind for kind, _status in asked})
    of_kind = {kind: sum(count for (one, _), count in asked.items() if one == kind) for kind in kinds}
    refused = sum(count for (_, status), count in asked.items() if status == 429)
    failed = ", ".join(f"{what} {count}" for what, count in web.tally.failures.most_common()) or "nothing"
    told = ", ".join(f"{kind} {count}" for kind, count in of_kind.items())
    say(f"memory    {told}; {refused} were too many for one person; {failed} failed")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load.memory", description=__doc__)
    parser.add_argument("requests", type=int, nargs="?", default=50_000)
    asked = parser.parse_args(arguments)
    try:
        samples = measured(asked.requests)
    except stack.Missing as missing:
        print(missing)
        return 2
    grown, steady = growth(samples), slope(samples)
    print(f"memory    grown {grown:.3f} times from a tenth of the requests to the end, at most {GROWTH}")
    print(f"memory    {steady:.0f} bytes a request in the second half, at most {SLOPE:.0f}")
    return 0 if grown <= GROWTH and steady <= SLOPE else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
