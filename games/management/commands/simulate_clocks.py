"""``manage.py simulate_clocks``: simulates games whose players come and go, to check that all end."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.management.clock_simulation import ClockSimulation, LadderTally


class Command(BaseCommand):
    help = "Plays games whose players vanish, come back, rest and pause by lot, in a database of its own."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=2000)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--turns", type=int, help="of each game, before all resign; else it is played out"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["games"] < 1:
            raise CommandError(f"--games {options['games']}: play one at least")
        own = connection.settings_dict["NAME"]
        connection.creation.create_test_db(verbosity=0)
        began = time.perf_counter()
        try:
            tallies = ClockSimulation(options["seed"], turns=options["turns"]).run(options["games"])
        finally:
            connection.creation.destroy_test_db(own, verbosity=0)
        for line in _table(tallies):
            self.stdout.write(line)
        self.stdout.write(f"{options['games']} games in {time.perf_counter() - began:.0f} s")
        for tally in tallies.values():
            for line in tally.wrong[:20]:
                self.stdout.write(f"WRONG  {line}")
        if not all(tally.is_sound() for tally in tallies.values()):
            sys.exit(1)


def _table(tallies: dict[str, LadderTally]) -> list[str]:
    """Format the outcomes of each ladder as a line."""
    lines = [
        f"{'ladder':14} {'games':>5} {'played out':>10} {'longest':>8} {'too late':>8} {'hanging':>7}"
        f" {'outages':>7} {'days charged':>12} {'wrong':>5}  acts"
    ]
    for name, tally in tallies.items():
        acts = ", ".join(f"{act} {number}" for act, number in tally.acts.most_common())
        lines.append(
            f"{name:14} {tally.games:5} {tally.endings['played']:10} {tally.longest:8.0%}"
            f" {len(tally.too_late):8} {len(tally.hanging):7} {tally.outages:7} {tally.charged.days:12}"
            f" {len(tally.wrong):5}  {acts}"
        )
    return lines
