"""Outlook on a place among the first, by each player's possible totals: "safe", "out", "needs 3 of 4"."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from leagues.standings.matches import build_series, count_wins, is_decided
from leagues.standings.ranking import rank_tally
from leagues.standings.tally import Tally
from leagues.standings.values import MATCH_EVEN, DivisionResults, PlayerId, UnplayedGame

SIXTIETHS = 60
"""Units per point. Sixtieths can be shared by any number of seats in whole numbers."""


class Chance(StrEnum):
    SAFE = "safe"  # certain of a place, whatever else happens
    NEEDS = "needs"  # certain with so many wins of what is left
    OPEN = "open"  # possible, but not certain even with all wins left
    OUT = "out"  # no place, whatever else happens


@dataclass(frozen=True, slots=True)
class PlaceOutlook:
    """A player's outlook on a place; with NEEDS "*needs* of *left*".

    *left* counts the matches, or games where games count, that the player can still win. *needs* of them,
    whichever, make the place certain even if all others are lost; fewer may do.
    """

    chance: Chance
    left: int = 0
    needs: int | None = None


@dataclass(frozen=True, slots=True)
class Remaining:
    """An unfinished match, or game where games count. Undrawn rounds have one player.

    A sole winner gets *win*, and the others at most *second* then. A series has the *lead* of each player,
    and how many games are *left*. A game may bring nobody anything, as an organiser may decide (STAND-3); a
    series always ends.
    """

    players: tuple[PlayerId, ...]
    win: int
    second: int = 0
    lead: tuple[int, ...] = ()
    left: int = 1

    def bounds(self, player: PlayerId) -> tuple[int, int]:
        """Return the least and the most that it can bring *player*."""
        lead = self.lead[self.players.index(player)] if self.lead else 0
        even = int(MATCH_EVEN * SIXTIETHS)
        return even if lead >= self.left else 0, even if -lead >= self.left else self.win


def compute_chances(
    division: DivisionResults, unplayed: Sequence[UnplayedGame], places: int | None = None
) -> dict[PlayerId, PlaceOutlook]:
    """Return everybody's outlook on one of the first *places* of a *division*, by default those that move up.

    *unplayed* must be all that is left, with undrawn rounds as games with one player, and byes that are fixed
    among the division's. Results so far are taken as final: a withdrawal that strikes games, or an organiser
    who settles one again, may change everything. Players who withdrew are out and take nobody's place.

    "Safe" and "out" are never reported too early, but may be late. Each rival is considered alone, and only
    by points while anything is left, so a player who may be overtaken on equal points is not safe.

    >>> from leagues.standings.values import Entrant, GameResult, Rules, SeatResult
    >>> def won_against(name):
    ...     return GameResult(name, None, "Ann", (SeatResult("Ann", 1), SeatResult(name, 2)))
    >>> games = [won_against("Bob"), won_against("Cid")]
    >>> entrants = [Entrant(name) for name in ("Ann", "Bob", "Cid")]
    >>> division = DivisionResults(entrants, games, byes=[], rules=Rules.usual(2, up=1), season=1)
    >>> compute_chances(division, [UnplayedGame(3, None, ("Bob", "Cid"))])["Bob"].chance
    <Chance.OUT: 'out'>

    :raises ValueError: as ``compute_standings``, or somebody in an unplayed game is not entered
    """
    places = division.rules.up if places is None else places
    tally = Tally.of(division)
    left: dict[PlayerId, list[Remaining]] = {player: [] for player in tally.entrants}
    for one in _list_remaining(division, unplayed):
        if strangers := set(one.players) - tally.entrants.keys():
            raise ValueError(f"{strangers} are to play without being entered")
        for player in one.players:
            left[player].append(one)
    active = [entrant.id for entrant in division.entrants if not entrant.withdrew]
    found = {entrant.id: PlaceOutlook(Chance.OUT) for entrant in division.entrants}
    if any(left.values()):
        race = _Race({player: int(tally.points[player] * SIXTIETHS) for player in active}, left)
        return found | {player: race.outlook(player, places) for player in active}
    first = [one.player for one in rank_tally(tally) if one.player in set(active)][:places]
    return found | {player: PlaceOutlook(Chance.SAFE, needs=0) for player in first}


def _list_remaining(division: DivisionResults, unplayed: Sequence[UnplayedGame]) -> Iterator[Remaining]:
    """All that is unfinished. A series goes on until it is decided, even if its other games aren't among the
    *unplayed* ones yet; unplayed games of a decided one are ignored."""
    rules = division.rules
    win = int(rules.bye * SIXTIETHS)
    if not rules.series:
        yield from (Remaining(game.players, win, rules.points[1] * SIXTIETHS) for game in unplayed)
        return
    played = build_series(division.games, rules)
    for match in played:
        if not is_decided(match, rules.best_of):
            first, second = match[0].players
            lead = count_wins(match, first) - count_wins(match, second)
            yield Remaining((first, second), win, 0, (lead, -lead), rules.best_of - len(match))
    begun = {match[0].match for match in played}
    fresh = {game.match: game.players for game in unplayed if game.match not in begun}
    yield from (Remaining(players, win) for players in fresh.values())


class _Race:
    """The *low*est and the *high*est possible final totals of players."""

    def __init__(self, totals: Mapping[PlayerId, int], left: Mapping[PlayerId, Sequence[Remaining]]) -> None:
        self.left = left
        self.low = {player: total + self._sum(player, 0) for player, total in totals.items()}
        self.high = {player: total + self._sum(player, 1) for player, total in totals.items()}
        self.lows = sorted(self.low.values())

    def _sum(self, player: PlayerId, bound: int) -> int:
        return sum(one.bounds(player)[bound] for one in self.left[player])

    def outlook(self, player: PlayerId, places: int) -> PlaceOutlook:
        winnable = [one for one in self.left[player] if one.bounds(player)[1] == one.win]
        if len(self.lows) - bisect_right(self.lows, self.high[player]) >= places:
            return PlaceOutlook(Chance.OUT, len(winnable))
        needs = sorted(self._wins_to_pass(player, winnable), reverse=True)[places - 1 : places] or [0]
        if needs[0] > len(winnable):
            return PlaceOutlook(Chance.OPEN, len(winnable))
        return PlaceOutlook(Chance.NEEDS if needs[0] else Chance.SAFE, len(winnable), needs[0])

    def _wins_to_pass(self, player: PlayerId, winnable: Sequence[Remaining]) -> Iterator[int]:
        """For each rival the number of wins, whichever, that put the *player* ahead for certain; one more
        than are *winnable* if not even all do."""
        floors = self._list_floors(player, winnable)
        met = {rival for one in winnable for rival in one.players}
        for rival, high in self.high.items():
            if rival in met and rival != player:
                yield bisect_right(self._list_floors(player, winnable, rival), high)
            elif rival != player:
                yield bisect_right(floors, high)

    def _list_floors(
        self, player: PlayerId, winnable: Sequence[Remaining], rival: PlayerId | None = None
    ) -> list[int]:
        """The *player*'s least totals with no win, with one and so on, the least useful first; points that a
        *rival* misses by them count, too."""
        gains = []
        for one in winnable:
            missed = one.bounds(rival)[1] - one.second if rival in one.players else 0
            gains.append(one.win - one.bounds(player)[0] + missed)
        return list(accumulate(sorted(gains), initial=self.low[player]))
