"""Blocks that count in a competition (STAND-18)."""

from __future__ import annotations

from collections import Counter

from games.models import Block
from leagues.models import EntryState, Season

MOST_BLOCKS = 2
"""Maximum number of blocks of a player that count in a season: the oldest against others who take part."""

Pair = frozenset[int]


def load_blocked_pairs(season: Season) -> tuple[Pair, ...]:
    """Return the pairs of players of *season*, by primary key, that are kept apart, the oldest block first.

    A block counts if it stood when registration closed and still stands. Players who left before, or whose
    team was left out, use up no block. One query.
    """
    there = season.entries.exclude(state=EntryState.WITHDRAWN, division=None).values("player")
    blocks = Block.objects.filter(player__in=there, blocked__in=there, since__lt=season.begins)
    counted: Counter[int] = Counter()
    pairs: dict[Pair, None] = {}
    for player, blocked in blocks.order_by("since", "pk").values_list("player", "blocked"):
        counted[player] += 1
        if counted[player] <= MOST_BLOCKS:
            pairs[frozenset((player, blocked))] = None
    return tuple(pairs)
