"""``manage.py verify_games``: replays every game, and lists differences from the stored rows."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Game
from games.play.audit import find_differences


class Command(BaseCommand):
    help = "Replays games by the rules and counts their columns again. Lists differences, changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("codes", nargs="*", metavar="CODE", help="only these games")

    def handle(self, *args: Any, **options: Any) -> None:
        games = Game.objects.exclude(started=None).order_by("pk")
        if options["codes"]:
            games = games.filter(code__in=options["codes"])
        checked = at_fault = 0
        for game in games.iterator(chunk_size=100):
            differences = find_differences(game)
            checked += 1
            at_fault += bool(differences)
            for difference in differences:
                self.stdout.write(f"{game.code} {difference}")
        self.stdout.write(f"{checked} games checked, {at_fault} with differences")
        if at_fault:
            raise CommandError("Some games are not what the code says.")
