"""Contests besides one table in which two people play together: a season of a league.

Moderation knows nothing of leagues: whoever has contests adds to ``core.hooks.CONTESTS``.
"""

from __future__ import annotations

from collections.abc import Collection

from accounts.multi_account import Pair
from core import hooks


def find_pairs_in_one_contest(pairs: Collection[Pair]) -> set[Pair]:
    """Return those of *pairs* who are in one contest."""
    people = {player for pair in pairs for player in pair}
    contests = [set(players) for source in hooks.CONTESTS for players in source(people)] if people else []
    return {(one, other) for one, other in pairs if any({one, other} <= players for players in contests)}
