"""Why a rank is what it is, as a value; the words are found elsewhere (STAND-12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leagues.standings.criteria import Value
from leagues.standings.values import PlayerId

POINTS = "points"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What separates a player from the next in the table.

    ``own`` and ``other`` are the two values of the criterion: by head to head what each got against the group
    that was equal just then, which is "3 : 1" between two. ``criterion`` is "points" where no tie-break was
    needed, and None where nothing separates them: then they share the rank, and both values are their points.
    """

    ahead_of: PlayerId
    criterion: str | None
    own: Value
    other: Value


def explanation(
    player: Mapping[str, Value], other: Mapping[str, Value], ahead_of: PlayerId, tie_breaks: Sequence[str]
) -> Explanation:
    """What separates a player from the next, *ahead_of* whom they stand: the first criterion with two values.

    The mappings have the points under "points", and the values of the tie-breaks that were needed.

    >>> from fractions import Fraction
    >>> ann = {"points": Fraction(4), "head_to_head": Fraction(3)}
    >>> bob = {"points": Fraction(4), "head_to_head": Fraction(1)}
    >>> explanation(ann, bob, "Bob", ["head_to_head", "lot"]).criterion
    'head_to_head'
    """
    for name in (POINTS, *tie_breaks):
        if name in player and name in other and player[name] != other[name]:
            return Explanation(ahead_of, name, player[name], other[name])
    return Explanation(ahead_of, None, player[POINTS], other[POINTS])
