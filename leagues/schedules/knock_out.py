"""Knock-outs: pairings, winners, and the match for third place."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from leagues.schedules.bracket import list_bracket_order, list_bracket_places
from leagues.schedules.rounds import Id, Pairing, check_distinct


@dataclass(frozen=True, slots=True)
class Tie(Generic[Id]):
    """A match of a knock-out: in *round*, from 0, the one with this *number*, from 0.

    *players* are the higher seed, who begins the first of *best_of* games, and the lower one; None is an
    unknown player, or the missing opponent of a *bye*.
    """

    round: int
    number: int
    players: tuple[Id | None, Id | None]
    best_of: int
    bye: bool = False
    third_place: bool = False

    @property
    def pairing(self) -> Pairing[Id] | None:
        """Return the pairing, once both players are known."""
        first, second = self.players
        return None if first is None or second is None else Pairing((first, second))


@dataclass(frozen=True, slots=True)
class KnockOut(Generic[Id]):
    """A knock-out of *seeds*, the strongest first, as far as it has been played.

    The bracket follows from the seeds: 1 can meet 2 in the final only, and 3 or 4 not before the semi-finals.
    If it is not full the highest seeds have a bye in the first round.

    *results* has the winner of each tie that was played, by round and number, or None if it ended even: then
    the higher seed moves on. Nobody wins a final without a game, of those *unplayed*: both are second
    (STAND-20). With *third_place* those who lost the semi-finals play as tie number 1 of the last round;
    where a semi-final was a bye there is no such tie, and who lost the other one is third.

    Matches are best of *best_of* games.

    >>> cup = KnockOut("ABCDEF", {(0, 1): "E", (1, 0): None})
    >>> [tie.players for tie in cup.rounds()[0]]
    [('A', None), ('D', 'E'), ('B', None), ('C', 'F')]
    >>> [tie.players for tie in cup.rounds()[1]], cup.rounds()[2][0].players
    ([('A', 'E'), ('B', None)], ('A', None))

    :raises ValueError: fewer than two seeds or somebody twice, a match of an even number of games, a result
        of a tie that cannot have been played, or one with a winner who is not in it
    """

    seeds: Sequence[Id]
    results: Mapping[tuple[int, int], Id | None] = field(default_factory=dict)
    best_of: int = 1
    third_place: bool = False
    unplayed: Collection[tuple[int, int]] = ()

    def __post_init__(self) -> None:
        check_distinct(self.seeds)
        if self.best_of < 1 or self.best_of % 2 == 0:
            raise ValueError("best of an odd number of games")
        playable = {(tie.round, tie.number): tie for each in self.rounds() for tie in each if tie.pairing}
        for key, winner in self.results.items():
            if key not in playable:
                raise ValueError(f"tie {key} cannot have been played")
            if winner is not None and winner not in playable[key].players:
                raise ValueError(f"{winner} is not in tie {key}")

    def rounds(self) -> tuple[tuple[Tie[Id], ...], ...]:
        """Return all ties, round by round, with their players as far as they are known."""
        rounds = [self._first_round()]
        while len(rounds[-1]) > 1:
            moving_on = [self.winner(tie) for tie in rounds[-1]]
            pairs = zip(moving_on[::2], moving_on[1::2], strict=True)
            rounds.append([self._tie(len(rounds), number, pair) for number, pair in enumerate(pairs)])
        if self.third_place and len(rounds) > 1 and not any(tie.bye for tie in rounds[-2]):
            losers = self._loser(rounds[-2][0]), self._loser(rounds[-2][1])
            rounds[-1].append(self._tie(len(rounds) - 1, 1, losers, third_place=True))
        return tuple(map(tuple, rounds))

    def to_play(self) -> tuple[Tie[Id], ...]:
        """The ties whose players are known and that have no result yet."""
        return tuple(
            tie
            for each in self.rounds()
            for tie in each
            if tie.pairing is not None and (tie.round, tie.number) not in self.results
        )

    def winner(self, tie: Tie[Id]) -> Id | None:
        """Return the winner of *tie*, or the player who moves on from it, if known."""
        if tie.bye:
            return tie.players[0]
        if tie.pairing is None or (tie.round, tie.number) not in self.results:
            return None
        winner = self.results[tie.round, tie.number]
        if winner is None and self._is_last(tie) and (tie.round, tie.number) in self.unplayed:
            return None
        return tie.players[0] if winner is None else winner

    @property
    def champion(self) -> Id | None:
        """Return the winner of the final, if known."""
        return self.winner(self.rounds()[-1][0])

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
            winner, loser = self.winner(tie), self._loser(tie)
            if tie.third_place and winner is not None:
                halves[winner] += 1
            elif loser is not None:
                halves[loser] = 2 * tie.round
        reached = sorted(halves.values(), reverse=True)
        ranks = {player: 1 + reached.index(half) for player, half in halves.items()}
        final = rounds[-1][0]
        if (final.round, final.number) in self.unplayed and self.champion is None:
            ranks |= {player: 2 for player in final.players if player is not None}
        return dict(sorted(ranks.items(), key=lambda one: one[1]))  # stable: then by seed

    def _first_round(self) -> list[Tie[Id]]:
        order = list_bracket_order(list_bracket_places(len(self.seeds)))
        standing = [self.seeds[seed - 1] if seed <= len(self.seeds) else None for seed in order]
        pairs = zip(standing[::2], standing[1::2], strict=True)
        return [self._tie(0, number, pair, bye=None in pair) for number, pair in enumerate(pairs)]

    def _tie(
        self,
        round_number: int,
        number: int,
        pair: tuple[Id | None, Id | None],
        *,
        bye: bool = False,
        third_place: bool = False,
    ) -> Tie[Id]:
        """A tie of *pair*, the higher seed first; an unknown player comes last."""
        unknown = len(self.seeds)
        one, other = sorted(pair, key=lambda player: unknown if player is None else self.seeds.index(player))
        return Tie(round_number, number, (one, other), self.best_of, bye, third_place)

    def _is_last(self, tie: Tie[Id]) -> bool:
        return 2 << tie.round == list_bracket_places(len(self.seeds))

    def _loser(self, tie: Tie[Id]) -> Id | None:
        winner = self.winner(tie)
        if winner is None:
            return None
        return tie.players[1] if winner == tie.players[0] else tie.players[0]
