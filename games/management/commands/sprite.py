"""``manage.py sprite``: writes the sprites of all sets and the colours of PNGs. Run it after any change to
the drawing or to a tile table."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.drawing import colours, sprite


class Command(BaseCommand):
    help = "Write the sprites of all sets to static/games, what pages know of it, and the colours of PNGs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("sets", nargs="*", help="only of these; without a name, of all")

    def handle(self, *args: Any, **options: Any) -> None:
        for path in sprite.write(Path(settings.BASE_DIR) / "static", options["sets"]):
            self.stdout.write(f"{path.relative_to(settings.BASE_DIR)}: {path.stat().st_size / 1024:.0f} KB")
        if not options["sets"]:
            sprite.load_generated.cache_clear()
            colours.write()
