"""``manage.py restore``: restores the database from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from carcassonne import backups

AFTER = """Restored. Now, before the site is started again:
  manage.py migrate                     if the backup is of an older release
  redis-cli FLUSHDB, or the table cache: what is remembered is of moves that may not have been
  manage.py verify_games                decides every game again"""


class Command(BaseCommand):
    help = "Puts a backup back into the database. Stop the site before."
    requires_system_checks: tuple[()] = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", type=Path)
        parser.add_argument("--replace", action="store_true", help="throw away what is in the database now")
        parser.add_argument("--identity", type=Path, help="the file with the key of age that reads it")
        parser.add_argument("--check", action="store_true", help="only read the backup through")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["check"]:
                backups.check(options["backup"], options["identity"])
                self.stdout.write(f"{options['backup']} is whole.")
                return
            if not options["replace"] and not backups.is_empty():
                raise CommandError("The database isn't empty. --replace throws away what is in it.")
            backups.restore(options["backup"], options["identity"])
        except (backups.BackupFailed, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(AFTER)
