"""``manage.py clock``: computes deadlines and charges for test cases (``docs/clocks.md``)."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.clocks.cases import InvalidCase, answer


class Command(BaseCommand):
    help = "Answers cases of clocks (JSON, one to a line; - for standard input), a line of JSON for each."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        for file in options["files"]:
            for number, line in enumerate(_lines(file), 1):
                if not line.strip():
                    continue
                try:
                    self.stdout.write(json.dumps(answer(line)))
                except InvalidCase as error:
                    raise CommandError(f"{file}:{number}: {error}") from None


def _lines(file: str) -> list[str]:
    try:
        if file == "-":
            return sys.stdin.read().splitlines()
        with open(file, encoding="utf-8") as opened:
            return opened.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file}: can't be read: {error}") from None
