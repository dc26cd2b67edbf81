"""Signals of unfair play: the queue, the games in their data, and others about the same people. The formulas
are in docs/fair-play.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy

from games.models import Game
from moderation.fair_play import signals
from moderation.models import Signal
from moderation.selectors.desk import SHOWN, Queue, QueueEntry


def find_waiting(now: datetime) -> Sequence[QueueEntry]:
    """Return the queue at the desk. Without names, as moderators also see entries about themselves."""
    rows = signals.find_waiting().only("kind", "found")[: SHOWN + 1]
    return [QueueEntry(signal.title, signal.found, url=signal.get_absolute_url()) for signal in rows]


QUEUE = Queue(
    "signals",
    gettext_lazy("Signals"),
    gettext_lazy("Possible signs of unfair play. They don't punish anyone: say what you make of them."),
    find_waiting,
)


def load_games(signal: Signal) -> list[tuple[Game, list[Any]]]:
    """The games in the data of *signal* that are still there, each with its numbers; one query."""
    of_traces = signal.kind in signals.OF_TRACES
    rows = [[code] for code in signal.data["games"]] if of_traces else signal.data.get("rows", [])
    existing = Game.objects.filter(code__in=[code for code, *_numbers in rows]).only("code", "name")
    games = {game.code: game for game in existing}
    return [(games[code], numbers) for code, *numbers in rows if code in games]


def find_beside(signal: Signal) -> QuerySet[Signal]:
    """Find the latest other signals about the people of *signal*."""
    people = [key for key in (signal.subject_id, signal.other_id) if key is not None]
    theirs = Signal.objects.filter(Q(subject__in=people) | Q(other__in=people)).exclude(pk=signal.pk)
    return theirs.only("kind", "found").order_by("-found", "-pk")[:SHOWN]
