"""Knock-outs: pairings, winners, and the match for third place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from leagues.schedules.bracket import list_bracket_places
from leagues.schedules.elimination import Elimination, Part, Plan, PlannedTie, Source
from leagues.schedules.rounds import Id

FEWEST_FOR_THIRD_PLACE = 4


@dataclass(frozen=True, slots=True)
class KnockOut(Elimination[Id], Generic[Id]):
    """A knock-out of *seeds*, the strongest first, as far as it has been played.

    The bracket follows from the seeds: 1 can meet 2 in the final only, and 3 or 4 not before the semi-finals.
    If it is not full the highest seeds have a bye in the first round. From an even match the higher seed
    moves on.

    With *third_place* those who lost the semi-finals play as tie number 1 of the last round; where a
    semi-final was a bye there is no such tie, and who lost the other one is third.

    >>> cup = KnockOut("ABCDEF", {(0, 1): "E", (1, 0): None})
    >>> [tie.players for tie in cup.rounds()[0]]
    [('A', None), ('D', 'E'), ('B', None), ('C', 'F')]
    >>> [tie.players for tie in cup.rounds()[1]], cup.rounds()[2][0].players
    ([('A', 'E'), ('B', None)], ('A', None))
    """

    third_place: bool = False

    def plan(self) -> Plan:
        planned, ties, at = [], list_bracket_places(len(self.seeds)) // 2, 0
        while ties > 1:
            ties //= 2
            feeding = ((Source(at, 2 * number), Source(at, 2 * number + 1)) for number in range(ties))
            planned.append([PlannedTie(Part.MAIN, sources) for sources in feeding])
            at += 1
        if self.third_place and len(self.seeds) >= FEWEST_FOR_THIRD_PLACE:
            losers = Source(at - 1, 0, wins=False), Source(at - 1, 1, wins=False)
            planned[-1].append(PlannedTie(Part.THIRD_PLACE, losers))
        return planned

    def ranks(self) -> dict[Id, int]:
        """Return where everybody stands, from 1, in order of rank and then of seed.

        Who goes out in the same round shares a rank, but for third place if it is played; whoever is still in
        it shares the first.

        >>> KnockOut("ABCD", {(0, 0): "D", (0, 1): "B", (1, 0): "D"}).ranks()
        {'D': 1, 'B': 2, 'A': 3, 'C': 3}
        >>> KnockOut("ABCD", {(0, 0): "A"}).ranks()
        {'A': 1, 'B': 1, 'C': 1, 'D': 4}
        >>> KnockOut("ABC", {(0, 1): "B", (1, 0): None}, unplayed=[(1, 0)]).ranks()
        {'A': 2, 'B': 2, 'C': 3}
        """
        rounds = self.rounds()
        halves = dict.fromkeys(
            self.seeds, 2 * len(rounds)
        )  # twice the rounds survived, one more for the third
        for tie in (tie for each in rounds for tie in each):
            winner, loser = self.winner(tie), self.loser(tie)
            if tie.part == Part.THIRD_PLACE and winner is not None:
                halves[winner] += 1
            elif loser is not None:
                halves[loser] = 2 * tie.round
        return self.withhold_first(self.rank_by(halves))
