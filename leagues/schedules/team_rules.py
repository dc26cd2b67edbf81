"""Rules for matches of teams in a league."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

DAY = timedelta(days=1)
FIRST_LINE_UP = 2 * DAY
"""Time for the first line-ups after the draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRules:
    """Matches of teams at so many *boards*, an odd number, by teams of *least* to *most* players.

    Line-ups close *closes* before their round begins, and rounds begin every *round*. The defaults are those
    of the World Team Championship.

    >>> TeamRules().begins(1), TeamRules().begins(2)
    (datetime.timedelta(days=3), datetime.timedelta(days=10))
    """

    boards: int = 5
    least: int = 5
    most: int = 10
    closes: timedelta = DAY
    round: timedelta = 7 * DAY

    def begins(self, number: int) -> timedelta:
        """Return the time from the draw to the beginning of the round with this *number*, from 1."""
        return FIRST_LINE_UP + self.closes + (number - 1) * self.round

    def lasts(self, rounds: int) -> timedelta:
        """Return the time from the draw to the end of the last of so many *rounds*."""
        return self.begins(rounds + 1)

    def faults(self) -> Iterator[str]:
        """Yield the names of values that don't fit together."""
        if self.boards % 2 == 0:
            yield "boards"
        if not self.boards <= self.least <= self.most:
            yield "team_size"
        if self.closes >= self.round:
            yield "closes"

    def to_json(self) -> dict[str, Any]:
        """Return the form stored with leagues; times are in seconds."""
        return {
            "boards": self.boards,
            "least": self.least,
            "most": self.most,
            "closes": int(self.closes.total_seconds()),
            "round": int(self.round.total_seconds()),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> TeamRules:
        """Read what :meth:`to_json` wrote.

        >>> TeamRules.from_json(TeamRules(boards=3, least=4).to_json()).least
        4
        """
        return cls(
            boards=stored["boards"],
            least=stored["least"],
            most=stored["most"],
            closes=timedelta(seconds=stored["closes"]),
            round=timedelta(seconds=stored["round"]),
        )
