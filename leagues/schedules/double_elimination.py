"""Double elimination (STAND-23): who loses once goes on in a second bracket, who loses twice is out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic

from leagues.schedules.bracket import list_bracket_places
from leagues.schedules.elimination import Elimination, Part, Plan, PlannedTie, Source, Tie
from leagues.schedules.rounds import Id


@dataclass(frozen=True, slots=True)
class DoubleElimination(Elimination[Id], Generic[Id]):
    """A double elimination of *seeds*, the strongest first, as far as it has been played.

    The bracket of winners is that of a knock-out with 2^k places. Its first round is the first one here; its
    round r > 1 is played in round 2 (r - 1), together with round 2r - 3 of the bracket of losers. So losers
    play on in the next round, and the final is round 2k. Ties of the bracket of winners have the first
    numbers of their round.

    The one who hasn't lost is the first player of the final, and wins it if it ends even. If the one from
    below wins it, with *reset* one more match decides, as round 2k + 1; there is no such round otherwise.

    >>> cup = DoubleElimination("ABCD", {(0, 0): "A", (0, 1): "C", (1, 0): "C", (1, 1): "B"})
    >>> [[tie.players for tie in each] for each in cup.rounds()[1:3]]
    [[('A', 'C'), ('B', 'D')], [('A', 'B')]]
    >>> cup = DoubleElimination("AB", {(0, 0): "A", (1, 0): "B"})
    >>> [tie.players for tie in cup.to_play()], cup.champion
    ([('A', 'B')], None)
    """

    reset: bool = True

    def plan(self) -> Plan:
        planned = plan_rounds(list_bracket_places(len(self.seeds)).bit_length() - 1)
        return planned if self.reset else planned[:-1]

    def rounds(self) -> tuple[tuple[Tie[Id], ...], ...]:
        built = self.build_rounds()
        final = next(tie for each in built for tie in each if tie.part == Part.FINAL)
        key = (final.round, final.number)
        decided = key in self.results and self.winner(final) in (None, final.players[0])
        return built[: final.round + 1] if decided else built

    def ranks(self) -> dict[Id, int]:
        """Return where everybody stands, from 1, in order of rank and then of seed: by the round of the
        second defeat, and whoever is still in it shares the first rank.

        >>> won = {(0, 0): "A", (0, 1): "B", (1, 0): "A", (1, 1): "C", (2, 0): "C"}
        >>> DoubleElimination("ABCD", won).ranks()
        {'A': 1, 'C': 1, 'B': 3, 'D': 4}
        >>> DoubleElimination("ABCD", won | {(3, 0): "C"}, reset=False).ranks()
        {'C': 1, 'A': 2, 'B': 3, 'D': 4}
        """
        rounds = self.rounds()
        reached = dict.fromkeys(self.seeds, len(rounds))
        last = rounds[-1][0]
        for tie in (*(tie for each in rounds for tie in each if tie.part == Part.LOSERS), last):
            loser = self.loser(tie)
            if loser is not None:
                reached[loser] = tie.round
        return self.withhold_first(self.rank_by(reached))

    def is_final(self, tie: Tie[Id]) -> bool:
        return tie.part in (Part.FINAL, Part.DECIDER)


def locate_tie(rounds: int, round: int, number: int) -> tuple[Part, int]:
    """Return the part of a tie, and its round within the part, from 1.

    :param rounds: how many there are, with the one of the deciding match or without
    :param round: that of the tie, from 1
    :param number: that of the tie in its round, from 1

    >>> locate_tie(7, 4, 1), locate_tie(7, 4, 2)
    ((<Part.MAIN: 'main'>, 3), (<Part.LOSERS: 'losers'>, 3))
    """
    if round == 1:
        return Part.MAIN, 1
    part = plan_rounds(rounds // 2)[round - 2][number - 1].part
    return part, {Part.MAIN: round // 2 + 1, Part.LOSERS: round - 1}.get(part, 1)


def list_parts(rounds: int, round: int) -> list[tuple[Part, int]]:
    """Return the parts of which ties are played in a *round* of so many, each with its own round.

    >>> list_parts(7, 4)
    [(<Part.MAIN: 'main'>, 3), (<Part.LOSERS: 'losers'>, 3)]
    """
    ties = 1 if round == 1 else len(plan_rounds(rounds // 2)[round - 2])
    return list(dict.fromkeys(locate_tie(rounds, round, number) for number in range(1, ties + 1)))


@cache
def plan_rounds(k: int) -> Plan:
    """Return the plan for 2^k places, with the deciding match as its last round."""
    planned: list[list[PlannedTie]] = []
    above = 0  # the last round of winners
    below = [Source(0, number, wins=False) for number in range(1 << (k - 1))]
    for r in range(2, k + 1):
        feeding = [Source(above, number) for number in range(1 << (k - r + 1))]
        winners = _pair(Part.MAIN, feeding[::2], feeding[1::2])
        losers = _pair(Part.LOSERS, below[::2], below[1::2])
        planned.append(winners + losers)
        above = len(planned)
        staying = [Source(above, len(winners) + number) for number in range(len(losers))]
        falling = [Source(above, number, wins=False) for number in range(len(winners))]
        planned.append(_pair(Part.LOSERS, staying, cross(falling, r)))
        below = [Source(len(planned), number) for number in range(len(falling))]
    final = len(planned) + 1
    planned.append(_pair(Part.FINAL, [Source(above, 0)], below))
    planned.append(_pair(Part.DECIDER, [Source(final, 0)], [Source(final, 0, wins=False)]))
    return planned


def cross(losers: Sequence[Source], r: int) -> list[Source]:
    """Return the *losers* of round *r* of the winners in the order in which they enter the bracket below:
    reversed in an even round, with the halves exchanged in an odd one, so that two meet again late.

    >>> cross("abcd", 2), cross("abcd", 3)
    (['d', 'c', 'b', 'a'], ['c', 'd', 'a', 'b'])
    """
    half = len(losers) // 2
    return list(losers[::-1]) if r % 2 == 0 else [*losers[half:], *losers[:half]]


def _pair(part: Part, ones: Sequence[Source], others: Sequence[Source]) -> list[PlannedTie]:
    return [PlannedTie(part, sources) for sources in zip(ones, others, strict=True)]
