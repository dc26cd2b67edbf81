"""Where else two people play in one contest, besides one table: in a season of a league.

Games know nothing of leagues: whoever has contests registers a source here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from accounts.traces import Pair

Source = Callable[[Collection[int]], Iterable[Collection[int]]]
"""From the primary keys of players to those of them who are in each contest; in one query."""

_sources: dict[str, Source] = {}


def register(name: str, source: Source) -> None:
    """From now on *source* is asked; there is one of each *name*."""
    _sources[name] = source


def in_one_contest(pairs: Collection[Pair]) -> set[Pair]:
    """Those of *pairs* who are in one contest."""
    people = {player for pair in pairs for player in pair}
    contests = [set(players) for source in _sources.values() for players in source(people)] if people else []
    return {(one, other) for one, other in pairs if any({one, other} <= players for players in contests)}
