"""``manage.py replay``: replays records, and checks every turn."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from games.management.refusals import format_refusal
from games.rules import InvalidRecord, InvalidRuleSet
from games.rules.records import record


class Command(BaseCommand):
    help = "Replays records (.json, .jsonl, .jsonl.gz, - for standard input) and checks every turn."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="print one line of JSON per record")

    def handle(self, *args: Any, **options: Any) -> None:
        failed = False
        for file in options["files"]:
            for line, text in _records(file):
                replayed = _replay_record(text)
                failed |= not replayed["ok"]
                if options["json"]:
                    self.stdout.write(json.dumps({"file": file, "line": line, **replayed}))
                elif replayed["ok"]:
                    self.stdout.write(f"{file}:{line}: ok, {replayed['scores']}")
                else:
                    self.stdout.write(f"{file}:{line}: {_on_a_line(replayed['error'])}")
        if failed:
            sys.exit(1)


def _records(file: str) -> Iterator[tuple[int, str | InvalidRecord]]:
    """Yield each record of *file* as text, with its first line's number; an unreadable one as an error."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read()
        elif file.endswith(".gz"):
            with gzip.open(file, "rb") as packed:
                data = packed.read()
        else:
            with open(file, "rb") as plain:
                data = plain.read()
        text = data.decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        yield 1, InvalidRecord(f"can't be read: {error}")
        return
    if file.endswith(".json") or (file == "-" and not _one_to_a_line(text)):
        yield 1, text
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def _one_to_a_line(text: str) -> bool:
    """Return whether the first line is a record of its own."""
    try:
        json.loads(text.strip().partition("\n")[0])
    except ValueError:
        return False
    return True


def _on_a_line(text: str) -> str:
    """Escape unprintable characters in *text*, which may quote a record, for a terminal."""
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def _replay_record(text: str | InvalidRecord) -> dict[str, Any]:
    try:
        if isinstance(text, InvalidRecord):
            raise text
        read = record.loads(text)
        played = record.replay(read)
    except InvalidRecord as error:
        reason = error.__cause__
        why = format_refusal(reason) if isinstance(reason, InvalidRuleSet) else str(error)
        return {"ok": False, "error": why, "scores": [], "by_kind": [], "turns": []}
    wrong = record.find_differences(read, played)
    return {
        "ok": not wrong,
        "error": "other result: " + "; ".join(wrong) if wrong else None,
        "scores": list(played.game.state.scores),
        "by_kind": [dict(sorted(kinds.items())) for kinds in played.by_kind],
        "turns": [
            {
                "legal_placements": turn.legal_placements,
                "scored": [
                    {"player": scored.seat, "on": scored.on, "points": scored.points}
                    for scored in turn.scored
                ],
            }
            for turn in played.turns
        ],
    }
