"""Swiss tournaments with random results."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from py4swiss.engines.dutch.criteria.absolute import C1, C3
from py4swiss.engines.dutch.player import Player, get_player_infos_from_trf

from leagues.schedules import Pairing, Round
from leagues.schedules.swiss import (
    NoPairing,
    SwissMatch,
    SwissRound,
    build_tournament_report,
    pair_swiss_round,
)

POINTS: list[tuple[int, int]] = [(2, 0), (0, 2), (2, 0), (0, 2), (1, 1)]
FORFEITS: list[tuple[int, int]] = [(2, 0), (0, 2), (0, 0), (1, 1)]


class Tournament:
    """Tournament with random results; with *trouble* some forfeit, are away, withdraw or join late, and with
    *penalties* some lose points."""

    def __init__(
        self, size: int, rounds: int, seed: str, *, trouble: bool = False, penalties: bool = False
    ) -> None:
        self.lot = random.Random(seed)
        self.trouble = trouble and size > 5
        self.rounds = rounds
        self.punishes = penalties
        self.players = list(range(0, 10 * size, 10))  # ratings in order, with room for those who join between
        self.withdrawn: set[int] = set()
        self.absent: set[int] = set()
        self.penalties: dict[int, Fraction] = {}
        self.played: list[SwissRound[int]] = []

    def course(self) -> Iterator[Round[int]]:
        """Yield each round as it is paired, before it is played; it ends early if no pairing is left."""
        for _ in range(self.rounds):
            self._make_trouble()
            try:
                paired = pair_swiss_round(
                    self.players, self.played, self.rounds, absent=self.absent, penalties=self.penalties
                )
            except NoPairing:
                return
            yield paired
            matches = tuple(self._result(pairing) for pairing in paired.pairings)
            self.played.append(SwissRound(matches, paired.byes))

    def as_the_library_sees_them(self) -> dict[int, Player]:
        report = build_tournament_report(
            self.players, self.played, self.rounds, absent=self.absent, penalties=self.penalties
        )
        return {self.players[player.id - 1]: player for player in get_player_infos_from_trf(report)}

    def points(self, player: int) -> Fraction:
        total = -self.penalties.get(player, Fraction(0))
        for each in self.played:
            total += 2 * each.byes.count(player)
            for match in each.matches:
                if player in match.players:
                    total += match.points[match.players.index(player)]
        return total

    def opponents(self, player: int) -> set[int]:
        """Return the opponents in games of *player* that were really played."""
        return {
            other
            for each in self.played
            for match in each.matches
            if player in match.players and not match.forfeit
            for other in match.players
            if other != player
        }

    def firsts(self, player: int) -> list[bool]:
        """Return whether *player* began, for each match that was played."""
        return [
            match.players[0] == player
            for each in self.played
            for match in each.matches
            if player in match.players and not match.forfeit
        ]

    def had_a_free_win(self, player: int) -> bool:
        return any(
            player in each.byes
            or any(
                match.forfeit and (player, 2) in zip(match.players, match.points, strict=True)
                for match in each.matches
            )
            for each in self.played
        )

    def top(self, player: int) -> bool:
        """Return whether *player* has over half of the points before the last round, and so may begin more
        often."""
        return len(self.played) == self.rounds - 1 and self.points(player) > len(self.played)

    def _result(self, pairing: Pairing[int]) -> SwissMatch[int]:
        first, second = pairing.players
        if self.trouble and self.lot.random() < 0.08:
            return SwissMatch((first, second), self.lot.choice(FORFEITS), forfeit=True)
        return SwissMatch((first, second), self.lot.choice(POINTS))

    def _make_trouble(self) -> None:
        if self.punishes and self.lot.random() < 0.5:
            self.penalties[self.lot.choice(self.players)] = Fraction(self.lot.randrange(7), 2)
        self.absent = set(self.withdrawn)
        if not self.trouble:
            return
        if self.lot.random() < 0.3:
            self.players.append(self.lot.choice(self.players) + self.lot.randrange(1, 10))
            self.players = sorted(set(self.players))
        if self.lot.random() < 0.2 and len(self.withdrawn) < 2:
            self.withdrawn.add(self.lot.choice(self.players))
        self.absent = self.withdrawn | {player for player in self.players if self.lot.random() < 0.05}


def may_meet(one: Player, other: Player) -> bool:
    """Apply the library's absolute rules for pairs: no second meeting, no two who need the same colour."""
    return bool(C1.evaluate(one, other) and C3.evaluate(one, other))
