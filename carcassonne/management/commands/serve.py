"""``manage.py serve``, for ``make run``: runs the whole site on this machine."""

import os
import socket
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, connections

from carcassonne.checks import check_first_release
from carcassonne.local.processes import become_manager
from carcassonne.local_only import is_on_this_machine
from carcassonne.management.commands.demo import PASSWORD, PEOPLE
from games.notices.push_keys import make_private_key


class Command(BaseCommand):
    help = "Sets up the site and runs it with web server, workers and beat, until Ctrl-C."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument(
            "--without-demo", action="store_true", help="make no demo accounts and no demo game"
        )
        parser.add_argument(
            "--static-collected", action="store_true", help="static files are collected, as in a container"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        os.environ["PORT"] = str(port)  # to the children, who answer under no other
        os.environ.setdefault("RECEIVE_MAIL_PORT", str(find_free_port()))  # one takes what another sends
        if settings.DEBUG and not is_on_this_machine(host):
            raise CommandError(
                f"DEBUG is on, so the site can't listen on {host}: others could read its errors. "
                "Set DEBUG=0 on a site for others. See docs/settings.md."
            )
        self.refuse_taken_port(host, port)
        for error in check_first_release([DEFAULT_DB_ALIAS]):
            raise CommandError(error.msg)
        self.step("Preparing the database", "migrate", verbosity=0)
        self.step("Preparing the cache", "createcachetable", verbosity=0)
        if not (settings.DEBUG or options["static_collected"]):
            self.step("Collecting static files", "collectstatic", interactive=False, verbosity=0)
        if settings.DEBUG:
            keep_push_key(settings.PUSH_KEY_FILE)
        demo = settings.DEBUG and not options["without_demo"]
        if demo:
            self.step("Setting a table for the demo", "demo", verbosity=0)
        (settings.DATA_DIR / "beat").mkdir(exist_ok=True)
        self.say("Starting web server, workers and beat …")
        connections.close_all()
        become_manager(commands(host, port), host, port, welcome(demo))

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    def step(self, what: str, command: str, **options: Any) -> None:
        begun = time.monotonic()
        self.stdout.write(f"{what} … ", ending="")
        self.stdout.flush()
        call_command(command, **options)
        self.say(f"{time.monotonic() - begun:.1f} s")

    def refuse_taken_port(self, host: str, port: int) -> None:
        """:raises CommandError: the port is in use"""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                raise CommandError(
                    f"Port {port} on {host} can't be used ({error.strerror}). Perhaps the site runs already. "
                    f"Take another port: make run PORT={port + 1}"
                ) from error


def keep_push_key(file: Path) -> None:
    """Create the key by which push services identify this site, once: browsers subscribe to it."""
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(f"{make_private_key()}\n")


def find_free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def welcome(demo: bool) -> str:
    """Return the text with the site's URL, and with the sign-ins of the *demo*."""
    lines = ["", f"  The site        {settings.SITE_URL}/"]
    if demo:
        lines += [f"  Demo sign-in    {address}   password: {PASSWORD}" for _, address in PEOPLE]
    if settings.DEBUG and settings.EMAIL_URL == settings.KEEP_MAILS:
        lines += [f"  Its emails      {settings.SITE_URL}/outbox/"]
    return "\n".join([*lines, "  Stop with       Ctrl-C", ""])


def commands(host: str, port: int) -> dict[str, list[str]]:
    """Return the commands of the site's processes: the web server, and a worker of all queues with the beat.

    With Redis, which other machines may share: a worker for each queue, the beat and, if players reply to
    mails, the receiver, which otherwise is part of the worker.
    """
    web = ["--interface", "asginl", "--host", host, "--port", str(port)]
    web += ["--workers", os.environ.get("WEB_WORKERS", "1"), "--no-ws"]
    web += ["--http", "1", "--http1-header-read-timeout", "10000", "--http1-buffer-size", "32768"]
    web += ["--no-http1-keep-alive"]  # else one of several workers may hold all connections
    web += ["--log-level", "warning", "--respawn-failed-workers", "--respawn-interval", "1"]
    site = {"web": [sys.executable, "-m", "granian", *web, "carcassonne.asgi:application"]}
    if not settings.REDIS_URL:
        return site | {"worker": [sys.executable, "-m", "carcassonne.local.worker"]}
    # Celery warns of root, who is the only user of many a container; a public site starts its own workers.
    as_root = ["-W", "ignore:You're running the worker with superuser"]
    celery = [sys.executable, *as_root, "-m", "celery", "--quiet", "--app", "carcassonne"]
    worker = [*celery, "worker", "--concurrency", "1", "--loglevel", "warning"]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    workers = {
        f"worker of {queue}": [*worker, "--queues", queue, "--hostname", f"{queue}@%h"]
        for queue in settings.QUEUES
    }
    receive = [sys.executable, "manage.py", "receive_mail", *([] if settings.DEBUG else ["--lmtp"])]
    receiver = {"receiver": receive} if settings.REPLY_DOMAIN else {}
    return site | workers | receiver | {"beat": [*celery, "beat", "--loglevel", "warning"]}
