"""Search for more even seasons at tables than the stored ones (STAND-14)."""

from __future__ import annotations

import random
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from leagues.schedules.table_search import SeasonShape, measure_unevenness, search_rounds
from leagues.schedules.tables import LARGEST, SMALLEST, STORED, choose_table_sizes, format_stored, load_stored

PLAYERS, ROUNDS = range(4, 17), range(1, 11)
"""Usual numbers of players and of rounds, searched in advance; others are searched when they are drawn."""


class Command(BaseCommand):
    help = "Search for more even seasons at tables than those that are stored, and store them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tries", type=int, default=20)
        parser.add_argument("--seed", default="")

    def handle(self, *args: Any, tries: int, seed: str, **options: Any) -> None:
        stored = dict(load_stored())
        for shape in sorted({*stored, *list_usual_shapes()}):
            before = stored.get(shape)
            if before and measure_unevenness(shape, before)[0] == shape.least_difference:
                continue
            found = search_rounds(shape, random.Random(f"{seed} {shape}"), tries)
            stored[shape] = min(
                filter(None, [before, found]), key=lambda rounds: measure_unevenness(shape, rounds)
            )
            if stored[shape] is not before:
                self.stdout.write(f"{shape}: {measure_unevenness(shape, found)[0]}")
        STORED.write_text("".join(f"{format_stored(shape, stored[shape])}\n" for shape in sorted(stored)))


def list_usual_shapes() -> list[SeasonShape]:
    """Return the seasons to be stored: those with a choice of who sits with whom."""
    shapes = (
        SeasonShape(players, choose_table_sizes(players, seats), rounds)
        for players in PLAYERS
        for seats in range(SMALLEST, min(LARGEST, players) + 1)
        for rounds in ROUNDS
    )
    return sorted({shape for shape in shapes if shape.sizes != (shape.players,)})
