"""``manage.py receive_mail``: receives players' replies by mail (``docs/mail.md``)."""

from __future__ import annotations

import asyncio
import signal
from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.mail_in.smtp import receive


class Command(BaseCommand):
    help = "Takes mail for play+…@REPLY_DOMAIN by SMTP or LMTP and puts it into the inbox, until SIGTERM."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.RECEIVE_MAIL_HOST)
        parser.add_argument("--port", type=int, default=settings.RECEIVE_MAIL_PORT)
        parser.add_argument("--lmtp", action="store_true", help="speak LMTP, as a mail server delivers")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.REPLY_DOMAIN:
            raise CommandError("REPLY_DOMAIN is empty: no mail names an address for replies.")
        try:
            asyncio.run(self._receive(options["host"], options["port"], lmtp=options["lmtp"]))
        except OSError as error:
            raise CommandError(
                f"Port {options['port']} on {options['host']} can't be used ({error.strerror})."
            ) from error

    async def _receive(self, host: str, port: int, *, lmtp: bool) -> None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        say = partial(self._say, host, lmtp=lmtp)
        await receive(host, port, lmtp=lmtp, stop=stop, listening=say)

    def _say(self, host: str, port: int, *, lmtp: bool) -> None:
        self.stdout.write(f"Taking {'LMTP' if lmtp else 'SMTP'} on {host}:{port}")
        self.stdout.flush()
