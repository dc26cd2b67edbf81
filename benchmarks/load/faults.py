"""Fault injection: parts are killed at random moments of play. ``python -m benchmarks.load.faults``.

Players use web and mail: Locust's users (``locustfile``), and others who do nothing but reply to their mails
(``mail_programs``). A third of all have a webhook, and as many a device with notifications, whose services
are on this machine (``tests.post_service``). Web, receiver, the worker of each queue that the settings name,
beat, Redis and PostgreSQL are killed by SIGKILL, or one of their child processes is; they stay away for a
while and are restarted, as by a service manager. Redis comes back empty. Halfway the site restarts with its
clock an hour back. Most games have few turns left, so that they end, are scored and rated meanwhile, many in
a league. After the site has come to rest, its rows are compared with what the players, their mail servers and
their webhooks know (``audit``). The seed reproduces the schedule, not the races.

Locust's statistics show failed requests and the time until they were answered (AGAIN); other counts follow.
Exit 1, and a line for each, if a promise of docs/running.md is broken.
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.load import postbox, stack
from benchmarks.load.mail_programs import MailPrograms
from benchmarks.load.summary import FaultRun
from benchmarks.load.swarm import Swarm, swarm
from tests import post_service

SETTINGS = {"SWEEP_SECONDS": "5"}
TASK_SECONDS = 60  # a claim ends, and a lost task comes back, after twice that
DOWN = {"postgresql": 4.0, "redis": 10.0, "beat": 15.0}  # maximum downtime in seconds; 5 for other parts
GAMES_OF_DIVISION = 6  # as ``tables`` has it, which needs the site's settings to be read
WITH_CHILDREN = ("web", "worker", "postgresql")
CLOCK_BACK = 3600.0  # seconds by which the site's clock is set back halfway
REST = 240.0  # maximum seconds until all work is done, once all parts are back


class Kill(NamedTuple):
    """A part to kill at so many seconds from the start, and how long it stays away."""

    at: float
    part: str
    only_a_child: bool
    down: float

    def __str__(self) -> str:
        what = f"a child of {self.part}" if self.only_a_child else self.part
        return f"{self.at:6.1f} s  {what}, away for {self.down:.1f} s"


def schedule(parts: Sequence[str], kills: int, seconds: float, seed: int) -> list[Kill]:
    """Schedule so many kills within so many *seconds*, of every part once before any again; some of a
    child."""
    chance = random.Random(seed)
    order: list[str] = []
    while len(order) < kills:
        order += chance.sample(parts, len(parts))
    times = sorted(chance.uniform(0, seconds) for _ in range(kills))
    return [
        Kill(
            at,
            part,
            part.startswith(WITH_CHILDREN) and chance.random() < 0.4,
            chance.uniform(stack.PAUSE, DOWN.get(part, 5.0)),
        )
        for at, part in zip(times, order, strict=False)
    ]


def tables(games: int, seed: int) -> dict[str, Any]:
    """The input of ``tables`` for so many *games*: three fifths have one to three turns left, a part of
    them in a league; the others are in their middle, but for a few that have just begun."""
    begin = max(4, games // 20)
    divisions = max(1, games // 25)
    rest = max(0, games - begin - divisions * GAMES_OF_DIVISION)
    near = rest // 2
    return {
        "people": max(divisions * 4, games // 4),
        "by_mail": 0.6,
        "replies": True,
        "games": begin,
        "seats": 2,
        "seed": seed,
        "languages": True,
        "divisions": divisions,
        "on_the_way": {36: rest - near, 2: near // 4, 1: near // 4, 0: near - 2 * (near // 4)},
    }


def run(
    *,
    games: int,
    seconds: float,
    kills: int,
    seed: int,
    think: float,
    task_seconds: int = TASK_SECONDS,
    keep: Path | None = None,
    least_turns: int = 0,
) -> FaultRun:
    """Play, kill, wait, and audit. *keep*: a folder for logs and ledger. However slow the machine is, players
    go on until *least_turns* were accepted.

    :raises TimeoutError: that takes too long, though all parts are back
    """
    box = postbox.Postbox()
    with (
        stack.ended_by_sigterm(),
        tempfile.TemporaryDirectory() as folder,
        post_service.serve(Path(folder), stack.HOOKS) as services,
        postbox.listening(box) as mail_port,
        stack.stack(
            mail_port, keep, **SETTINGS, **_settings_for(services, folder), TASK_SECONDS=str(task_seconds)
        ) as site,
    ):
        addresses = [f"https://{stack.HOOKS}/webhook", f"https://{services.host}/push"]
        ready = site.run("benchmarks.load.tables", tables(games, seed) | {"endpoints": addresses})
        replying = [person["email"] for person in ready["people"] if person["replies"]]
        programs = MailPrograms(int(site.environment["RECEIVE_MAIL_PORT"]), replying, seed)
        box.programs = programs
        site.start_site(ready["commands"])
        browsing = [person for person in ready["people"] if not person["replies"]]
        with swarm(site, ready | {"people": browsing}, think=think, finish=100) as players:
            box.reader = players.call
            _kill_parts(site, schedule(list(site.parts), kills, seconds, seed), seconds, seed)
            back = time.time()
            players.wait_for_turns(least_turns, 120)
            box.reader = None  # no new visits begin
            players.end()
            programs.stop(120)
        return _look(site, ready, box, programs, services, players, back, keep)


def _settings_for(services: post_service.PostService, folder: str) -> dict[str, str]:
    """The settings by which the site receives replies, and posts to *services*."""
    return {
        "DJANGO_SETTINGS_MODULE": "benchmarks.load.fault_settings",
        "ENDPOINTS_CERTIFICATE": str(Path(folder) / post_service.CERTIFICATE),
        "ENDPOINTS_PORT": str(services.port),
        "PUSH_HOSTS": services.host,
        "VAPID_PRIVATE_KEY": secrets.token_urlsafe(32),
        "REPLY_DOMAIN": "reply.carcassonne.test",
        "RECEIVE_MAIL_PORT": str(stack.free_port()),
    }


def _kill_parts(site: stack.Stack, plan: Sequence[Kill], seconds: float, seed: int) -> None:
    """Kill as planned, for so many *seconds*, and wait until all parts are back."""
    site.watch()
    chance = random.Random(seed)
    began = time.monotonic()
    for kill in plan:
        if not site.behind and kill.at > seconds / 2:
            time.sleep(max(0.0, began + seconds / 2 - time.monotonic()))
            site.set_clock_back(CLOCK_BACK)
        time.sleep(max(0.0, began + kill.at - time.monotonic()))
        if not (kill.only_a_child and site.kill_child(kill.part, chance)):
            site.kill(kill.part, kill.down)
    time.sleep(max(0.0, began + seconds - time.monotonic()))
    stack.until(site.sound, 120, "all parts are back")


def _look(
    site: stack.Stack,
    ready: dict[str, Any],
    box: postbox.Postbox,
    programs: MailPrograms,
    services: post_service.PostService,
    players: Swarm,
    back: float,
    keep: Path | None,
) -> FaultRun:
    """Wait until the site is at rest, and audit it against what the players know."""
    ledger = players.read_ledger()
    site.run("benchmarks.load.audit", {"tick": True})  # ratings and leagues look every few minutes
    left = _rest(site)
    rested = time.time() - back
    found = site.run(
        "benchmarks.load.audit",
        {
            "sent": ledger.to_json(),
            "mails": box.ids,
            "replies": sorted(programs.confirmed),
            "posts": count_posts(services),
            "begun": ready["begun"],
            "outages": site.outages,
        },
    )
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / "ledger.json").write_text(json.dumps(ledger.to_json()))
    killed = Counter(part for part, _began, _ended in site.outages)
    figures = players.read_statistics()
    return FaultRun(
        figures,
        ledger,
        box,
        programs,
        killed,
        found,
        left,
        site.logs(),
        rested,
    )


def count_posts(services: post_service.PostService) -> dict[str, dict[str, int]]:
    """Count the posts by channel and player: they go to ``/channel/player``."""
    came: dict[str, dict[str, int]] = {"webhook": {}, "push": {}}
    for path, number in Counter(request.path for request in services.requests).items():
        channel, name = path.strip("/").split("/")
        came[channel][name] = number
    return came


def _rest(site: stack.Stack) -> dict[str, int]:
    """Wait until the site has nothing left to do; return what is left at the time limit."""
    end = time.monotonic() + REST
    while True:
        left: dict[str, int] = site.run("benchmarks.load.audit", {"left": True})
        if not any(left.values()) or time.monotonic() > end:
            return left
        time.sleep(2)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load.faults", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=300, help="how long the killing goes on")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--think", type=float, default=0.1, help="times as long as people take to think")
    parser.add_argument("--task-seconds", type=int, default=TASK_SECONDS, help="see docs/settings.md")
    parser.add_argument("--keep", type=Path, help="a folder for logs and ledger")
    asked = parser.parse_args(arguments)
    try:
        seen = run(**vars(asked))
    except stack.Missing as missing:
        print(missing)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"{error.cmd[-1]} failed; see above")
        return 2
    broken = list(seen.list_broken())
    print(f"fault run   {asked.games} games, {asked.kills} kills in {asked.seconds:.0f} s, seed {asked.seed}")
    for what, counts in seen.count().items():
        print(f"{what:<18}", ", ".join(f"{number} {name}" for name, number in sorted(counts.items())))
    print("".join(f"BROKEN      {one[:400]}\n" for one in broken[:60]), end="")
    print("fault run   " + (f"{len(broken)} promises are broken" if broken else "all is well"))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
