"""``manage.py verify_draw``: check that finished games drew their tiles as their seeds say."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Game
from games.play.audit import find_draw_faults


class Command(BaseCommand):
    help = "Checks the draw of games that have ended against their seeds and the hashes shown before."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("codes", nargs="+", metavar="CODE")

    def handle(self, *args: Any, **options: Any) -> None:
        at_fault = False
        for code in options["codes"]:
            game = Game.objects.filter(code=code).first()
            if game is None:
                raise CommandError(f"There is no game called {code}.")
            if not game.ended:
                raise CommandError(f"{code} has not ended: its seed is still secret.")
            if game.deal is not None and game.deal.sealed:
                raise CommandError(f"{code} shares its draw with games that go on: its seed is still secret.")
            if not game.shown_seed:
                self.stdout.write(f"{code}: its tiles were given, not drawn by a seed")
                continue
            faults = find_draw_faults(game)
            at_fault |= bool(faults)
            for fault in faults:
                self.stdout.write(
                    f"{code}: {fault.code} {fault.draw}: is {fault.stored}, should be {fault.expected}"
                )
            if not faults:
                self.stdout.write(f"{code}: {game.tiles.count()} draws as the seed says")
        if at_fault:
            raise CommandError("The draw is not what the seed says.")
