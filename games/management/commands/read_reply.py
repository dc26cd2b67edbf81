"""``manage.py read_reply``: prints what messages ask for (``docs/mail.md``)."""

from __future__ import annotations

import binascii
import json
import sys
from argparse import ArgumentParser
from base64 import b64decode
from collections.abc import Iterable, Iterator
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.inbox.replies import describe_reply, read_reply


class Command(BaseCommand):
    help = "Reads messages (JSON, one to a line; - for standard input) and prints what each asks for."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="print one line of JSON per message")

    def handle(self, *args: Any, **options: Any) -> None:
        our_addresses = {
            parseaddr(address)[1] for address in (settings.DEFAULT_FROM_EMAIL, settings.SERVER_EMAIL)
        }
        for identity, raw in _messages(options["file"]):
            reply = read_reply(raw, our_addresses=our_addresses)
            if options["json"]:
                self.stdout.write(json.dumps({"id": identity, **describe_reply(reply)}))
            else:
                self.stdout.write(f"{identity}: {' '.join(describe_reply(reply).values())}")


def _messages(file: str) -> Iterator[tuple[Any, bytes]]:
    """Yield each message of *file* with its ``id``. Raises ``CommandError`` for an invalid line."""
    try:
        if file == "-":
            yield from _cases(sys.stdin, file)
        else:
            with open(file, encoding="utf-8") as opened:
                yield from _cases(opened, file)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file}: can't be read: {error}") from None


def _cases(lines: Iterable[str], file: str) -> Iterator[tuple[Any, bytes]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            yield case["id"], b64decode(case["raw"])
        except (KeyError, TypeError, ValueError, RecursionError, binascii.Error) as error:
            raise CommandError(f"{file}:{number}: is no message: {error!r}") from None
