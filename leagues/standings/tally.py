"""Results of a division, indexed by player for the criteria."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from leagues.standings.matches import Contest, list_contests
from leagues.standings.values import DivisionResults, DrawId, Entrant, GameResult, PlayerId, Rules


@dataclass(frozen=True, slots=True)
class Tally:
    """A division's results by player, without struck games."""

    entrants: Mapping[PlayerId, Entrant]
    games: Mapping[PlayerId, Sequence[GameResult]]
    contests: Mapping[PlayerId, Sequence[Contest]]  # decided matches, or games
    draws: Mapping[DrawId, Sequence[GameResult]]  # the games that had the same tiles, and have scores
    points: Mapping[PlayerId, Fraction]  # first criterion of STAND-5, less penalties
    rules: Rules
    season: str | int
    running: bool = False  # whether it is a round robin that isn't over (STAND-5)

    @classmethod
    def of(cls, division: DivisionResults) -> Self:
        """Build the tally of *division*.

        :raises ValueError: the rules are invalid, somebody is entered twice, or has a game or a bye without
            being entered; or as ``list_contests``
        """
        if faults := list(division.rules.faults()):
            raise ValueError(f"no league may have such {', '.join(faults)}")
        entrants = {entrant.id: entrant for entrant in division.entrants}
        if len(entrants) < len(division.entrants):
            raise ValueError("somebody is entered twice")
        games: dict[PlayerId, list[GameResult]] = {player: [] for player in entrants}
        by_player: dict[PlayerId, list[Contest]] = {player: [] for player in entrants}
        points = {player: -Fraction(entrant.penalty) for player, entrant in entrants.items()}
        try:
            for game in division.games:
                theirs = [games[player] for player in game.players]
                if not game.struck:
                    for one in theirs:
                        one.append(game)
            for contest in list_contests(division.games, division.rules):
                for player, won in zip(contest.players, contest.points, strict=True):
                    by_player[player].append(contest)
                    points[player] += won
            for player in division.byes:
                points[player] += division.rules.bye
        except KeyError as error:
            raise ValueError(f"{error.args[0]!r} plays in a division without being entered") from error
        draws = _group_by_draw(division.games)
        return cls(
            entrants, games, by_player, draws, points, division.rules, division.season, division.running
        )


def _group_by_draw(games: Iterable[GameResult]) -> dict[DrawId, list[GameResult]]:
    draws: dict[DrawId, list[GameResult]] = {}
    for game in games:
        if game.draw is not None and game.scores is not None and not game.struck:
            draws.setdefault(game.draw, []).append(game)
    return draws
