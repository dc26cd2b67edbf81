"""Swiss cross table in the notation of chess: opponent, seat and result of each round."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _

from leagues.models import Division, Entry, Fixture
from leagues.selectors.leagues import load_pairings
from leagues.words.criteria import format_number

FIRST, SECOND = "I", "II"
"""Signs of the first and the second seat of a match."""
FORFEIT = "*"


class RoundCell(NamedTuple):
    """Round of a player: in short notation, and in words for screen readers."""

    short: str = ""
    said: str = ""


def load_swiss_table(
    division: Division, entries: Sequence[Entry], settled: Sequence[Fixture], byes: Sequence[tuple[int, int]]
) -> list[tuple[Entry, list[RoundCell]]]:
    """Return *entries*, in order of their table, each with a cell for each round that is drawn."""
    numbers = {entry.player_id: at for at, entry in enumerate(entries, start=1)}
    names = {entry.player_id: str(entry.player) for entry in entries}
    games: dict[int, list[Fixture]] = {}
    for fixture in settled:
        games.setdefault(fixture.match_id, []).append(fixture)
    cells = {(player, round): RoundCell("+", _("a bye, which counts as a win")) for round, player in byes}
    for match, (round, players) in load_pairings(division).items():
        for seat, player in enumerate(players):
            other = players[1 - seat]
            if player in numbers and other in numbers:
                result, forfeit = _result(games.get(match, ()), player)
                sign = FIRST if seat == 0 else SECOND
                short = f"{numbers[other]} {sign} {result}{FORFEIT if forfeit else ''}".strip()
                cells[player, round] = RoundCell(
                    short, _describe_round(names[other], seat == 0, result, forfeit)
                )
    return [
        (
            entry,
            [cells.get((entry.player_id, round), RoundCell()) for round in range(1, division.drawn + 1)],
        )
        for entry in entries
    ]


def _result(games: Sequence[Fixture], player: int) -> tuple[str, bool]:
    """The number of games of a match that *player* has won, and whether any was a forfeit; "" before the
    first."""
    counted = [fixture.seats or [] for fixture in games if not fixture.struck]
    if not counted:
        return "", False
    won = Fraction()
    for seats in counted:
        first = [seat["player"] for seat in seats if seat["rank"] == 1]
        won += Fraction(1, len(first)) if player in first else 0
    return format_number(won), any(seat["forfeit"] for seats in counted for seat in seats)


def _describe_round(other: str, begins: bool, result: str, forfeit: bool) -> str:
    told = _("first seat, against {name}") if begins else _("second seat, against {name}")
    parts = [told.format(name=other)]
    parts.append(_("games won: {n}").format(n=result) if result else _("not played yet"))
    if forfeit:
        parts.append(_("forfeit"))
    return "; ".join(parts)
