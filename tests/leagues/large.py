"""``make leagues``: simulates large leagues of every format, with faults, and checks each by the oracles.

One line a format: games, provoked faults, minutes of processor time, and the oracles' findings. Exit 1 if
there are findings, or a duplicate game. ``ARGS="Swiss groups"`` names some formats.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.leagues import bracket_oracle, double_oracle, ladder_oracle, oracle, team_oracle

ROOT = Path(__file__).resolve().parents[2]
Line = dict[str, Any]


def _divisions(lines: list[Line]) -> list[str]:
    return oracle.check_league(lines)


def _cup(lines: list[Line]) -> list[str]:
    *groups, final = lines
    wrong = bracket_oracle.check(final)
    for group in groups:
        wrong += oracle.check(group, highest=True, lowest=True)
    return wrong + (bracket_oracle.check_finals(groups, final) if groups else [])


def _double(lines: list[Line]) -> list[str]:
    return [fault for line in lines for fault in double_oracle.check(line)]


def _ladder(lines: list[Line]) -> list[str]:
    return [fault for line in lines for fault in ladder_oracle.check(line)]


def _teams(lines: list[Line]) -> list[str]:
    wrong = oracle.check_league(lines) + oracle.check_league([line["teams"] for line in lines])
    return wrong + [fault for line in lines for fault in team_oracle.check_boards(line)]


def _team_cup(lines: list[Line]) -> list[str]:
    wrong = _cup([line["teams"] for line in lines])
    for group in lines[:-1]:
        wrong += oracle.check(group, highest=True, lowest=True)
    return wrong + [fault for line in lines for fault in team_oracle.check_boards(line)]


FORMATS: dict[str, tuple[str, Callable[[list[Line]], list[str]]]] = {
    "duels": ("--divisions 10 --players 8 --seasons 5 --seed 1", _divisions),
    "Swiss": ("--schedule swiss --divisions 4 --players 12 --seasons 3 --penalties --seed 2", _divisions),
    "tables of four": ("--seats 4 --divisions 4 --players 12 --seasons 3 --seed 3", _divisions),
    "same tiles": ("--duplicate --divisions 3 --players 8 --seasons 2 --seed 8", _divisions),
    "knock-out": ("--schedule knock-out --divisions 1 --players 32 --seasons 1 --third-place --seed 4", _cup),
    "double": ("--schedule double-elimination --divisions 1 --players 24 --seasons 1 --seed 10", _double),
    "groups": ("--schedule groups --divisions 8 --players 4 --seasons 1 --third-place --seed 5", _cup),
    "ladder": ("--schedule ladder --divisions 1 --players 24 --seasons 2 --seed 6", _ladder),
    "corrected": (
        "--divisions 5 --players 8 --seasons 3 --protest 24 --corrections --penalties --seed 9",
        _divisions,
    ),
    "teams": ("--teams 6 --boards 5 --best-of 3 --divisions 1 --seasons 1 --penalties --seed 7", _teams),
    "groups of teams": (
        "--schedule groups --teams 4 --boards 5 --divisions 4 --seasons 1",
        _team_cup,
    ),
}


def played(arguments: str) -> list[Line]:
    """The lines of a run, of which each game ends after six turns."""
    command = [sys.executable, "manage.py", "simulate_league", *arguments.split(), "--faults", "--turns", "6"]
    done = subprocess.run([*command, "--json"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judged(name: str) -> bool:
    """Simulate the format *name*, print a summary, and return whether there are no faults."""
    arguments, check = FORMATS[name]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = played(arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    games = [game for line in lines for game in line["games"]]
    twice = [number for number, times in Counter(game["id"] for game in games).items() if times > 1]
    wrong = [*check(lines), *(f"game {number} is there twice" for number in twice)]
    forfeits = sum(seat["forfeit"] for game in games for seat in game["seats"])
    minutes = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 60
    verdict = "nothing wrong" if not wrong else f"{len(wrong)} faults"
    print(
        f"{name:16} {len(games):5} games, {forfeits:4} forfeited seats, {len(lines):3} lines,"
        f" {minutes:5.1f} min: {verdict}",
        flush=True,
    )
    for fault in wrong:
        print(f"  {fault}")
    return bool(games) and not wrong


def main(names: Sequence[str]) -> bool:
    """Return whether the formats of these *names*, or all, have no faults."""
    return all([judged(name) for name in names or FORMATS])


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
