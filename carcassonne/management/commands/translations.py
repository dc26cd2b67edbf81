"""``manage.py translations``: checks that every text is translated; ``--update`` collects new ones.

Needs Debian's package ``gettext``, which Django uses to find the texts.
"""

from __future__ import annotations

import gettext
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

LANGUAGES = tuple(code for code, _name in settings.LANGUAGES if code != "en")
SOURCES = (
    *("core", "accounts", "ratings", "games", "moderation", "leagues", "carcassonne"),
    *("templates", "locale", "manage.py"),
)
COLLECTING = ("-v0", "--no-wrap", "--add-location=file", "--no-obsolete", "-itests/*", "-ivar/*", "-i.venv/*")
PLACEHOLDER = re.compile(r"%\([a-z_]+\)[sd]|\{[a-z_]*\}|%[sd]")
WORD = re.compile(r"[^\W\d_]{2,}")
SAME = frozenset(
    {
        "bot",
        "Bot {n}",
        "token",
        "moderator",
        "hash",
        "sent",
        "email",
        "Rating",
        "Carcassonne",
        "SVG",
        "PNG",
        "Text ({language})",
        "{minutes} min",
        "{hours} h {minutes} min",
        "webhook",
        "Discord, Slack, Mattermost",
        "Mattermost: Integrations, Incoming Webhooks, Add Incoming Webhook.",
    }
)
"""Texts that have the same words in some other language."""


class Command(BaseCommand):
    help = "Checks that every text is translated into every language; --update collects new texts."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--update", action="store_true", help="collect new texts and compile")

    def handle(self, *args: Any, **options: Any) -> None:
        if shutil.which("xgettext") is None:
            raise CommandError("xgettext is missing. On Debian and Ubuntu: sudo apt install gettext")
        root = Path(settings.BASE_DIR)
        if options["update"]:
            _collect(root)
            subprocess.run([sys.executable, "manage.py", "compilemessages", "-v0"], cwd=root, check=True)
            return
        with TemporaryDirectory() as folder:
            copy = Path(folder)
            for name in SOURCES:
                source = root / name
                if source.is_dir():
                    shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(source, copy / name)
            _collect(copy)
            faults = [fault for language in LANGUAGES for fault in _faults(copy, root, language)]
        for fault in faults:
            self.stderr.write(fault)
        if faults:
            raise CommandError(f"{len(faults)} texts want a translator. See docs/translating.md.")
        self.stdout.write(f"Every text is there in {', '.join(LANGUAGES)}.")


def _collect(root: Path) -> None:
    languages = [part for language in LANGUAGES for part in ("-l", language)]
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", *languages, *COLLECTING],
        cwd=root,
        check=True,
    )


def _faults(copy: Path, root: Path, language: str) -> Iterator[str]:
    where = Path("locale") / language / "LC_MESSAGES"
    with (copy / where / "django.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    with (root / where / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in catalogue:
        if message.id:
            for fault in _wrong(message, catalogue, compiled):
                places = ", ".join(name for name, _line in message.locations)
                yield f"{language}: {fault}: {message.id!r} ({places})"


def _wrong(message: Message, catalogue: Catalog, compiled: gettext.GNUTranslations) -> Iterator[str]:
    texts = [message.id] if isinstance(message.id, str) else list(message.id)
    said = [message.string or ""] if isinstance(message.string, str | None) else list(message.string)
    several = len(texts) > 1
    if message.fuzzy:
        yield "fuzzy"
    if not all(said) or (several and len(said) != catalogue.num_plurals):
        yield "not translated"
        return
    if texts[0] in said and WORD.search(PLACEHOLDER.sub("", texts[0])) and texts[0] not in SAME:
        yield "still English"
    wanted = {name for text in texts for name in PLACEHOLDER.findall(text)}
    for text in said:
        there = set(PLACEHOLDER.findall(text))
        if there - wanted or (wanted - there and not several):
            yield "other placeholders"
    if _find_compiled_form(message, compiled, several) != said[0]:
        yield "not compiled (make messages)"


def _find_compiled_form(message: Message, compiled: gettext.GNUTranslations, several: bool) -> str:
    """The first form of *message* in the compiled catalogue."""
    text = message.id if isinstance(message.id, str) else message.id[0]
    key = f"{message.context}\x04{text}" if message.context else text
    form = compiled._catalog.get((key, 0) if several else key)  # type: ignore[attr-defined]
    return str(form or "")
