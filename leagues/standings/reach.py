"""How many players may reach a total at once: what "safe" and "out" come down to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from leagues.standings.values import PlayerId

MOST_WAYS = 5000
"""So many ways for what is left to come out are tried; where there are more, each player is looked at
alone."""


@dataclass(frozen=True, slots=True)
class Open:
    """Something that will bring its *players* one of these *outcomes*, in the order of the players."""

    players: tuple[PlayerId, ...]
    outcomes: Sequence[tuple[int, ...]]

    def lowest(self, seat: int) -> int:
        return _extremes(tuple(self.outcomes))[0][seat]

    def highest(self, seat: int) -> int:
        return _extremes(tuple(self.outcomes))[1][seat]


def may_reach(totals: Mapping[PlayerId, int], opens: Iterable[Open], target: int, places: int) -> bool:
    """Whether so many (*places*) of the players with these *totals* may come to have *target* or more at
    once.

    False is certain. True is certain, too, unless there are more than ``MOST_WAYS``.

    Players who meet take points from each other, so that not all may who each could:

    >>> last_round = [Open(("Ann", "Bob"), [(2, 0), (1, 1), (0, 2)])]
    >>> may_reach({"Ann": 4, "Bob": 4}, last_round, target=6, places=1)
    True
    >>> may_reach({"Ann": 4, "Bob": 4}, last_round, target=6, places=2)
    False
    """
    totals, opens = dict(totals), list(opens)
    while True:
        low, high = _bounds(totals, opens)
        there = sum(1 for total in low.values() if total >= target)
        contenders = frozenset(player for player in totals if low[player] < target <= high[player])
        if there >= places:
            return True
        if there + len(contenders) < places:
            return False
        between: list[Open] = []
        for one in opens:
            if len(contenders.intersection(one.players)) > 1:
                between.append(one)
            else:
                _give(totals, one, contenders)
        if len(between) == len(opens):
            return _tried(totals, between, contenders, target, places - there)
        opens = between


def _bounds(
    totals: Mapping[PlayerId, int], opens: Iterable[Open]
) -> tuple[dict[PlayerId, int], dict[PlayerId, int]]:
    """What each has at least, and at most."""
    low, high = dict(totals), dict(totals)
    for one in opens:
        lows, highs = _extremes(tuple(one.outcomes))
        for seat, player in enumerate(one.players):
            if player in totals:
                low[player] += lows[seat]
                high[player] += highs[seat]
    return low, high


@lru_cache(maxsize=1000)
def _extremes(outcomes: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What each seat gets of *outcomes* at least, and at most."""
    seats = list(zip(*outcomes, strict=True))
    return tuple(map(min, seats)), tuple(map(max, seats))


def _give(totals: dict[PlayerId, int], one: Open, contenders: frozenset[PlayerId]) -> None:
    """Let the only contender in it have the most; for the others it makes no difference what they get."""
    seat = next((seat for seat, player in enumerate(one.players) if player in contenders), 0)
    best = max(one.outcomes, key=lambda outcome: outcome[seat])
    for player, points in zip(one.players, best, strict=True):
        if player in totals:
            totals[player] += points


def _tried(
    totals: Mapping[PlayerId, int],
    opens: Sequence[Open],
    contenders: frozenset[PlayerId],
    target: int,
    places: int,
) -> bool:
    """``may_reach`` for *contenders* alone, by trying how what is *open* between them may come out."""
    ways, choices = 1, []
    for one in opens:
        choices.append(_among(one, contenders))
        ways *= len(choices[-1])
        if ways > MOST_WAYS:
            return True
    for chosen in product(*choices):
        found = {player: totals[player] for player in contenders}
        for outcome in chosen:
            for player, points in outcome:
                found[player] += points
        if sum(1 for total in found.values() if total >= target) >= places:
            return True
    return False


def _among(one: Open, contenders: frozenset[PlayerId]) -> list[tuple[tuple[PlayerId, int], ...]]:
    """What it may bring the *contenders*, each different way once."""
    seats = [(seat, player) for seat, player in enumerate(one.players) if player in contenders]
    return list({tuple((player, outcome[seat]) for seat, player in seats): None for outcome in one.outcomes})
