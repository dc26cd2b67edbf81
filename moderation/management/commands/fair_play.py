"""``manage.py fair_play``: search for signals of unfair play, and list unsettled ones."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from moderation.fair_play import search, signals
from moderation.models import Signal


class Command(BaseCommand):
    help = "Searches for signals of fair play, as the daily task does, and lists what nobody has settled."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="with all data, for other programs")
        parser.add_argument("--seconds", type=float, default=600, help="how long to search, at most")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        search.compare_accounts(now)
        done = search.search_games(now, seconds=options["seconds"])
        waiting = list(signals.find_waiting().select_related("subject", "other"))
        if options["json"]:
            lines = [_serialize_signal(signal) for signal in waiting]
            self.stdout.write(json.dumps(lines, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False))
            return
        for signal in waiting:
            names = [signal.subject.username, *([signal.other.username] if signal.other else [])]
            self.stdout.write(f"{signal.pk} {signal.kind} {' '.join(names)} {signal.base_rate:.2g}")
        rest = "" if done.done else ", and there is more to read"
        self.stdout.write(f"{done.read} games read, {done.looked_at} players looked at{rest}")


def _serialize_signal(signal: Signal) -> dict[str, Any]:
    return {
        "id": signal.pk,
        "kind": signal.kind,
        "player": signal.subject.username,
        "other": signal.other.username if signal.other else None,
        "score": signal.score,
        "base_rate": signal.base_rate,
        "found": signal.found,
        "data": signal.data,
    }
