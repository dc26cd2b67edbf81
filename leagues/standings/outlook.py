"""What must still happen for a place among the first: "safe", "out", "needs 3 of 4"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from leagues.standings.race import Race
from leagues.standings.ranking import ranked
from leagues.standings.remaining import SIXTIETHS, remaining
from leagues.standings.tally import Tally
from leagues.standings.values import Division, PlayerId, UnplayedGame


class Chance(StrEnum):
    SAFE = "safe"  # certain of a place, whatever else happens
    NEEDS = "needs"  # certain with so many wins of what is left
    OPEN = "open"  # even all wins may be too few, but it is not over
    OUT = "out"  # no place, whatever else happens


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a player may still hope for: with NEEDS "*needs* of *left*".

    What is *left* are the matches, or games where games count, that the player can still win. *needs* of
    them, whichever, make the place certain even if all others are lost; fewer may do.
    """

    chance: Chance
    left: int = 0
    needs: int | None = None


def outlooks(
    division: Division, unplayed: Sequence[UnplayedGame], places: int | None = None
) -> dict[PlayerId, Outlook]:
    """The outlook of everybody in a *division* on one of the first *places*, if not told otherwise those that
    move up.

    *unplayed* must be all that is left, with rounds that are not drawn yet as games with one player, and byes
    that are fixed among the division's. What has been played is taken to stand: a withdrawal that strikes
    games, or an organiser who settles one anew, may turn everything over. Those who withdrew are out and take
    no place from anybody.

    "Safe" and "out" are never said too early. Points alone are looked at while anything is left, so who may
    be overtaken on equal points is not safe. In this they are exact for duels with some seven matches left
    between those who matter, and for tables of up to four seats in the last game or two; else they may be
    said late.

    >>> from leagues.standings.values import Entrant, GameResult, Rules, SeatResult
    >>> def won_against(name):
    ...     return GameResult(name, None, "Ann", (SeatResult("Ann", 1), SeatResult(name, 2)))
    >>> games = [won_against("Bob"), won_against("Cid")]
    >>> entrants = [Entrant(name) for name in ("Ann", "Bob", "Cid")]
    >>> division = Division(entrants, games, byes=[], rules=Rules.usual(2, up=1), season=1)
    >>> outlooks(division, [UnplayedGame(3, None, ("Bob", "Cid"))])["Ann"].chance
    <Chance.SAFE: 'safe'>

    :raises ValueError: as ``standings``, or somebody in an unplayed game is not entered
    """
    places = division.rules.up if places is None else places
    left = remaining(division, unplayed)
    tally = Tally.of(division)
    if strangers := {player for one in left for player in one.players} - tally.entrants.keys():
        raise ValueError(f"{strangers} are to play without being entered")
    active = [entrant.id for entrant in division.entrants if not entrant.withdrew]
    found = {entrant.id: Outlook(Chance.OUT) for entrant in division.entrants}
    if left:
        race = Race({player: int(tally.points[player] * SIXTIETHS) for player in active}, left, places)
        return found | {player: _outlook(race, player) for player in active}
    first = [one.player for one in ranked(tally) if one.player in set(active)][:places]
    return found | {player: Outlook(Chance.SAFE, needs=0) for player in first}


def _outlook(race: Race, player: PlayerId) -> Outlook:
    left = len(race.winnable(player))
    needs = race.needs(player)
    if needs is not None:
        return Outlook(Chance.NEEDS if needs else Chance.SAFE, left, needs)
    return Outlook(Chance.OUT if race.out(player) else Chance.OPEN, left)
