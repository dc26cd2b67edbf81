"""Records of matches, or games where games count, won, drawn and lost (STAND-1 to 3)."""

from __future__ import annotations

from typing import NamedTuple

from leagues.standings.matches import list_contests
from leagues.standings.values import DivisionResults, PlayerId


class Record(NamedTuple):
    """A player's finished contests, including forfeits and byes."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        return sum(self)


def count_records(division: DivisionResults) -> dict[PlayerId, Record]:
    """Count everybody's record in *division*. A sole first place is won, a shared one drawn; a bye is won
    (STAND-3), and struck games count for nobody (STAND-4). So in duels the record adds up to the points,
    except for penalties.

    >>> from leagues.standings.values import Entrant, Rules, SeatResult, GameResult
    >>> game = GameResult(1, 1, "Ann", (SeatResult("Ann", 1, 50), SeatResult("Bob", 2, 40)))
    >>> entrants = tuple(Entrant(name, 1500) for name in ("Ann", "Bob", "Cid"))
    >>> count_records(DivisionResults(entrants, (game,), ("Cid",), Rules.usual(2), 1))["Bob"]
    Record(won=0, drawn=0, lost=1)
    """
    found = {entrant.id: Record() for entrant in division.entrants}
    for contest in list_contests(division.games, division.rules):
        for player, rank in zip(contest.players, contest.ranks, strict=True):
            found[player] = _add(found[player], rank, contest.ranks)
    for player in division.byes:
        found[player] = found[player]._replace(won=found[player].won + 1)
    return found


def _add(record: Record, rank: int, ranks: tuple[int, ...]) -> Record:
    if rank > 1:
        return record._replace(lost=record.lost + 1)
    if ranks.count(1) > 1:
        return record._replace(drawn=record.drawn + 1)
    return record._replace(won=record.won + 1)
