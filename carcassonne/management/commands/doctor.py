"""``manage.py doctor``: reports faults of the site, with advice."""

import logging
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from carcassonne.doctor import examine


class Command(BaseCommand):
    help = "Looks whether all parts of the running site are there and work, and says what to do where not."
    requires_system_checks: tuple[()] = ()  # they are the first of its findings

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--wait", type=float, default=10, help="seconds to wait for an answer")
        parser.add_argument("--mail", action="store_true", help="send an email out, and see it come in")

    def handle(self, *args: Any, **options: Any) -> None:
        logging.disable(logging.WARNING)  # that a part is away is among the findings
        ill = 0
        try:
            for finding in examine(options["wait"], by_mail=options["mail"]):
                self.stdout.write(f"{'ok  ' if finding.well else 'ILL '} {finding.what}: {finding.seen}")
                if not finding.well:
                    ill += 1
                    self.stdout.write(f"     → {finding.advice}")
        finally:
            logging.disable(logging.NOTSET)
        if ill:
            raise CommandError(f"{ill} things are not well.")
        self.stdout.write("All is well.")
