"""Who may still get one of so many places, by points alone. Totals are in sixtieths of a point."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb

from leagues.standings.reach import Open, may_reach
from leagues.standings.remaining import Remaining
from leagues.standings.values import PlayerId

MOST_RIVALS = 30
"""In larger divisions each rival is looked at alone, as if there were nobody to take points from."""

MOST_CHOICES = 40
"""Wins that are needed are tried on so many choices of what is left; else as if they cost no rival
anything."""


class Race:
    """A race of players with these *totals*, of whom so many (*places*) succeed, with so much *left* to play.

    What is left may be against others who don't race.
    """

    def __init__(self, totals: Mapping[PlayerId, int], left: Sequence[Remaining], places: int) -> None:
        self.totals = totals
        self.left = left
        self.places = places
        self.of: dict[PlayerId, list[Remaining]] = {player: [] for player in totals}
        self.lost: dict[PlayerId, tuple[list[Open], list[int]]] = {}
        self.high = dict(totals)
        for one in left:
            best = Open(one.players, one.outcomes())
            for seat, player in enumerate(one.players):
                if player in totals:
                    self.of[player].append(one)
                    self.high[player] += best.highest(seat)
        self.highs = sorted(self.high.values())
        self.sorted_totals = sorted(totals.values())

    def winnable(self, player: PlayerId) -> list[Remaining]:
        """What the *player* has left and can still win."""
        return [one for one in self.of[player] if one.winnable(player)]

    def needs(self, player: PlayerId) -> int | None:
        """With how few wins the place is certain, whichever they are; None if all of them are not enough."""
        fewest = None
        for wins in range(len(self.winnable(player)), -1, -1):
            if not self._certain(player, wins):
                break
            fewest = wins
        return fewest

    def out(self, player: PlayerId) -> bool:
        """Whether so many others stay ahead on points even if the *player* wins all that is left.

        A rival who gets a point fewer than they might makes no difference to who is ahead already, so only
        series, which bring their two points whatever happens, need to be looked into.
        """
        mine = [Open(one.players, _best_for(one, player)) for one in self.of[player]]
        target = self.totals[player] + _brought(mine, player)
        ahead = len(self.sorted_totals) - bisect_left(self.sorted_totals, target + 1)
        if ahead >= self.places or len(self.totals) > MOST_RIVALS:
            return ahead >= self.places
        # So many must stay behind that too few can be ahead: the same question upside down.
        rivals = {rival: -total for rival, total in self.totals.items() if rival != player}
        others = [Open(one.players, one.at_least()) for one in self.left if player not in one.players]
        opens = [_upside_down(one) for one in (*mine, *others)]
        return not may_reach(rivals, opens, -target, len(rivals) - self.places + 1)

    def _certain(self, player: PlayerId, wins: int) -> bool:
        """Whether that many wins are enough, whichever they are, with the rest lost, whatever else happens.

        Who has as many points counts as ahead, since tie-breaks may say so.
        """
        ways = list(self._ways(player, wins))
        lowest = min(self.totals[player] + _brought(mine, player) + more for mine, more in ways)
        level = len(self.highs) - bisect_left(self.highs, lowest) - (self.high[player] >= lowest)
        if level < self.places:
            return True
        if len(self.totals) > MOST_RIVALS:
            return False
        rivals = {rival: total for rival, total in self.totals.items() if rival != player}
        others = [Open(one.players, one.outcomes()) for one in self.left if player not in one.players]
        return not any(
            may_reach(
                rivals, [*mine, *others], self.totals[player] + _brought(mine, player) + more, self.places
            )
            for mine, more in ways
        )

    def _ways(self, player: PlayerId, wins: int) -> Iterator[tuple[list[Open], int]]:
        """The ways in which the *player* may win that much and lose the rest.

        Each is what the player's own may bring then, and what the player gets besides.
        """
        mine = self.of[player]
        winnable = [index for index, one in enumerate(mine) if one.winnable(player)]
        if len(self.totals) > MOST_RIVALS or comb(len(winnable), wins) > MOST_CHOICES:
            lost, gains = self._losing(player)
            yield lost, sum(gains[:wins])
            return
        for chosen in combinations(winnable, wins):
            outcomes = [
                one.won_by(player) if index in chosen else one.worst_for(player)
                for index, one in enumerate(mine)
            ]
            yield [Open(one.players, these) for one, these in zip(mine, outcomes, strict=True)], 0

    def _losing(self, player: PlayerId) -> tuple[list[Open], list[int]]:
        """The *player*'s own, all lost, and what each that can be won would bring more, the least first."""
        if player not in self.lost:
            mine = self.of[player]
            gains = sorted(_gain(one, player) for one in self.winnable(player))
            self.lost[player] = [Open(one.players, one.worst_for(player)) for one in mine], gains
        return self.lost[player]


def _brought(mine: Sequence[Open], player: PlayerId) -> int:
    """What the *player* gets of these, where that is the same in all outcomes."""
    return sum(one.lowest(one.players.index(player)) for one in mine)


def _gain(one: Remaining, player: PlayerId) -> int:
    """What winning it brings the *player* more than losing it."""
    seat = one.players.index(player)
    return one.won_by(player)[0][seat] - one.worst_for(player)[0][seat]


def _best_for(one: Remaining, player: PlayerId) -> list[tuple[int, ...]]:
    """The one outcome that is best for the *player*, and leaves the others the least."""
    seat = one.players.index(player)
    best = max(outcome[seat] for outcome in one.outcomes())
    least = min(one.at_least(), key=lambda outcome: -outcome[seat])
    return [tuple(best if index == seat else points for index, points in enumerate(least))]


def _upside_down(one: Open) -> Open:
    return Open(one.players, [tuple(-points for points in outcome) for outcome in one.outcomes])
