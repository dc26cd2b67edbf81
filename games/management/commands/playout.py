"""``manage.py playout``: plays random games, listing every legal action at every decision."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.refusals import format_refusal
from games.rules import InvalidRecord, InvalidRuleSet, RuleSet, find_usual_edition
from games.rules.playout import pick_random_rules, play_checked_game, play_random_game
from games.rules.records import record


class Command(BaseCommand):
    help = "Plays random games and says how many a second."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sets", default="base", help="names of sets, with commas")
        parser.add_argument("--edition", help="C1, C2, J20 or C3; without it C1, with the abbot C2")
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
        parser.add_argument("--players", type=int, default=2)
        parser.add_argument("--games", type=int, default=100)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true", help="print a record to a line")
        parser.add_argument(
            "--any",
            action="store_true",
            help="random sets, options and players instead, with every game checked and replayed",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["games"] < 1:
            raise CommandError(f"--games {options['games']}: play one at least")
        if options["any"]:
            self._play_any(options["games"], options["seed"])
            return
        sets = [name for name in options["sets"].split(",") if name]
        edition = options["edition"] or find_usual_edition(sets)
        try:
            rules = RuleSet.of(
                sets=sets,
                edition=edition,
                options=dict(_option(text) for text in options["option"]),
                seats=options["players"],
            )
        except InvalidRuleSet as error:
            raise CommandError(format_refusal(error)) from None
        random = Random(options["seed"])
        names = [f"player {seat + 1}" for seat in range(rules.seats)]
        began = time.perf_counter()
        for _ in range(options["games"]):
            game = play_random_game(rules, random)
            if options["json"]:
                written = record.write(rules, names, game.played, final=True)
                written["expect"] = {"scores": list(game.state.scores)}
                self.stdout.write(json.dumps(written, separators=(",", ":")))
        took = time.perf_counter() - began
        print(
            f"{options['games']} games in {took:.2f} s: {options['games'] / took:.1f} games/s",
            file=sys.stderr,
        )

    def _play_any(self, games: int, seed: int) -> None:
        """Play random games with random rules; stop at the first that breaks an invariant."""
        began = time.perf_counter()
        tiles = 0
        for number in range(seed, seed + games):
            random = Random(number)
            rules = pick_random_rules(random)
            try:
                tiles += len(play_checked_game(rules, random, every=10).state.board.tiles)
            except (AssertionError, InvalidRecord) as error:
                raise CommandError(f"seed {number}, {json.dumps(rules.to_json())}: {error}") from error
        took = time.perf_counter() - began
        print(
            f"{games} games of {tiles / games:.0f} tiles, each checked and replayed, in {took:.0f} s",
            file=sys.stderr,
        )


def _option(text: str) -> tuple[str, Any]:
    """Parse ``NAME=VALUE``, VALUE as JSON; a bare word is a string."""
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--option {text}: write NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
