"""Speed of the rules engine: whole random games, and the replay of a recorded game with every check."""

from __future__ import annotations

import subprocess
import sys
import time
from random import Random

from benchmarks.reference import reference
from games.rules import RuleSet
from games.rules.playout import play_random_game
from games.rules.records import record

GAMES = 500
FLOOR = 57.0  # games/s: 300 times the Python peer's 0.19
AIM = 130.0  # games/s: the Java engine when warm
REPLAY_CEILING = 15.0  # ms


def playout() -> bool:
    """Play 500 random games by the command itself, one process, one thread, start-up included."""
    began = reference()
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "manage.py", "playout", "--games", str(GAMES), "--seed", "1"],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    took = time.perf_counter() - start
    loop = (began + reference()) / 2
    speed = GAMES / took
    print(
        f"playout   {speed:7.1f} games/s over {GAMES} games with start-up "
        f"(floor {FLOOR:.0f}, aim {AIM:.0f}); {speed * loop:.1f} games in the time of a reference loop"
    )
    return speed >= FLOOR


def replay() -> bool:
    """Replay a recorded 72-tile game, checking every turn and counting its placements; median of 20."""
    rules = RuleSet.of(seats=3)
    game = play_random_game(rules, Random(7))
    written = record.write(rules, ["A", "B", "C"], game.played, final=True)
    times = []
    for _ in range(20):
        start = time.perf_counter()
        record.replay(written)
        times.append(time.perf_counter() - start)
    median, loop = sorted(times)[10], reference()
    print(
        f"replay    {median * 1000:7.2f} ms for a recorded 72-tile game (ceiling {REPLAY_CEILING:.0f}); "
        f"{median / loop:.3f} reference loops"
    )
    return median * 1000 <= REPLAY_CEILING
