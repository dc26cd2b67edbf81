"""Who is in one season, as the search for signals of fair play asks it (``games/fair_play/company.py``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from leagues.models import Entry


def seasons_of(players: Collection[int]) -> Iterable[Collection[int]]:
    """Those of *players* who are, or were, in each season; one query."""
    found: dict[int, set[int]] = defaultdict(set)
    entries = Entry.objects.filter(player__in=players).exclude(division=None)
    for season, player in entries.values_list("season", "player"):
        found[season].add(player)
    return found.values()
