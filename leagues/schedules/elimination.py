"""Brackets of matches whose players come from matches before: the base of knock-outs and double
eliminations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, NamedTuple

from leagues.schedules.bracket import list_bracket_order, list_bracket_places
from leagues.schedules.rounds import Id, Pairing, check_distinct


class Part(StrEnum):
    """Parts of a bracket."""

    MAIN = "main"  # all of a knock-out but the match for third place; or the bracket of winners
    THIRD_PLACE = "third place"
    LOSERS = "losers"  # the bracket of losers
    FINAL = "final"  # between the winners of both brackets
    DECIDER = "decider"  # one more match, if the one from below wins the final


class Source(NamedTuple):
    """The earlier tie, by round and number, whose winner or loser plays in a tie."""

    round: int
    number: int
    wins: bool = True


class PlannedTie(NamedTuple):
    """A tie after the first round, before anybody is known."""

    part: Part
    sources: tuple[Source, Source]


Results = Mapping[tuple[int, int], Id | None]
"""The winner of each tie that was played, by round and number, from 0; None if it ended even."""

Plan = Sequence[Sequence[PlannedTie]]
"""The ties of each round after the first."""


@dataclass(frozen=True, slots=True)
class Tie(Generic[Id]):
    """A match of a bracket: in *round*, from 0, the one with this *number*, from 0.

    *players* are the one who moves on if it ends even, and who begins the first of *best_of* games, and the
    other; None is an unknown player, or the missing opponent of a *bye*. Nobody ever comes to an *empty* one,
    which is a bye, too.
    """

    round: int
    number: int
    players: tuple[Id | None, Id | None]
    best_of: int
    part: Part = Part.MAIN
    sources: tuple[Source, ...] = ()
    bye: bool = False
    empty: bool = False

    @property
    def pairing(self) -> Pairing[Id] | None:
        """Return the pairing, once both players are known."""
        first, second = self.players
        return None if first is None or second is None else Pairing((first, second))


@dataclass(frozen=True, slots=True)
class Elimination(Generic[Id]):
    """A bracket of *seeds*, the strongest first, as far as it has been played.

    From a tie that ended even the first of its players moves on. Nobody wins the last match without a game,
    if it is one of those *unplayed*: both are second (STAND-20). Matches are best of *best_of* games.

    :raises ValueError: fewer than two seeds or somebody twice, a match of an even number of games, a result
        of a tie that cannot have been played, or one with a winner who is not in it
    """

    seeds: Sequence[Id]
    results: Results[Id] = field(default_factory=dict)
    best_of: int = 1
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

    def plan(self) -> Plan:
        """Return the ties of all rounds after the first."""
        raise NotImplementedError

    def rounds(self) -> tuple[tuple[Tie[Id], ...], ...]:
        """Return all ties, round by round, with their players as far as they are known."""
        return self.build_rounds()

    def build_rounds(self) -> tuple[tuple[Tie[Id], ...], ...]:
        """Build all ties of the plan."""
        rounds = [self._build_first_round()]
        for planned in self.plan():
            rounds.append([self._build_tie(rounds, number, each) for number, each in enumerate(planned)])
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
        if winner is None and self.is_final(tie) and (tie.round, tie.number) in self.unplayed:
            return None
        return tie.players[0] if winner is None else winner

    def is_final(self, tie: Tie[Id]) -> bool:
        """Return whether *tie* is the last match, or could be."""
        return tie.round == len(self.plan()) and tie.number == 0

    def loser(self, tie: Tie[Id]) -> Id | None:
        """Return the loser of *tie*, or the player who doesn't move on from it, if known."""
        winner = self.winner(tie)
        if winner is None:
            return None
        return tie.players[1] if winner == tie.players[0] else tie.players[0]

    @property
    def champion(self) -> Id | None:
        """Return the winner of the last match, if known."""
        return self.winner(self.rounds()[-1][0])

    def ranks(self) -> dict[Id, int]:
        """Return where everybody stands, from 1, in order of rank and then of seed. Whoever is still in it
        shares the first rank."""
        raise NotImplementedError

    def rank_by(self, reached: Mapping[Id, int]) -> dict[Id, int]:
        """Return the ranks, from 1, of all who have *reached* so much, in order of rank and then of seed."""
        ordered = sorted(reached.values(), reverse=True)
        ranks = {player: 1 + ordered.index(reached[player]) for player in self.seeds}
        return dict(sorted(ranks.items(), key=lambda one: one[1]))  # stable: then by seed

    def withhold_first(self, ranks: dict[Id, int]) -> dict[Id, int]:
        """Return *ranks* without a first one, if the last match stands as not played: both are second."""
        last = next((tie for tie in self._list_finals() if (tie.round, tie.number) in self.unplayed), None)
        if last is None or self.winner(last) is not None:
            return ranks
        return {player: 2 if player in last.players else rank for player, rank in ranks.items()}

    def _list_finals(self) -> list[Tie[Id]]:
        return [tie for each in self.rounds() for tie in each if self.is_final(tie)]

    def _build_first_round(self) -> list[Tie[Id]]:
        order = list_bracket_order(list_bracket_places(len(self.seeds)))
        standing = [self.seeds[seed - 1] if seed <= len(self.seeds) else None for seed in order]
        pairs = zip(standing[::2], standing[1::2], strict=True)
        return [
            Tie(0, number, self._sort(pair), self.best_of, bye=None in pair)
            for number, pair in enumerate(pairs)
        ]

    def _build_tie(self, rounds: Sequence[Sequence[Tie[Id]]], number: int, planned: PlannedTie) -> Tie[Id]:
        """Build a tie of the round after *rounds*. In the final the one who hasn't lost is first."""
        before = [rounds[source.round][source.number] for source in planned.sources]
        missing = [
            tie.empty if source.wins else tie.bye for tie, source in zip(before, planned.sources, strict=True)
        ]
        one, other = (
            self.winner(tie) if source.wins else self.loser(tie)
            for tie, source in zip(before, planned.sources, strict=True)
        )
        players = (one, other) if planned.part == Part.FINAL else self._sort((one, other))
        return Tie(len(rounds), number, players, self.best_of, *planned, bye=any(missing), empty=all(missing))

    def _sort(self, pair: tuple[Id | None, Id | None]) -> tuple[Id | None, Id | None]:
        """Return *pair* with the higher seed first; an unknown player comes last."""
        unknown = len(self.seeds)
        one, other = sorted(pair, key=lambda player: unknown if player is None else self.seeds.index(player))
        return one, other
