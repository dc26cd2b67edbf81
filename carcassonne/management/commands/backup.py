"""``manage.py backup``: writes the database to a file, while the site runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from carcassonne import backups


class Command(BaseCommand):
    help = "Writes the database into a new file of a folder, reads it through, and removes the oldest ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--keep", type=int, default=14, help="how many backups stay (14)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["keep"] < 1:
            raise CommandError("--keep must leave at least the new one.")
        try:
            backup = backups.make(options["folder"], keep=options["keep"], now=timezone.now())
        except (backups.BackupFailed, OSError) as error:
            raise CommandError(str(error)) from error
        kept = len(backups.list_backups(options["folder"]))
        self.stdout.write(f"{backup}: {backup.stat().st_size} bytes; {kept} kept")
