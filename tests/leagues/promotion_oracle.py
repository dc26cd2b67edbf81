"""Oracle of promotion: follows all players from one season to the next, by the text of STAND-13 alone.

It imports nothing of ``leagues``. A season is its divisions as they ended, the highest first, each a list of
its players in order of rank; the players who had left when it closed; and the badges, "up" or "down" by
player, as they are when the next season has begun.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class EndedSeason:
    divisions: list[list[int]]
    up: int
    down: int
    left: set[int] = field(default_factory=set)
    badges: dict[int, str] = field(default_factory=dict)


def check(before: EndedSeason, after: list[list[int]], size: int) -> list[str]:
    """The faults of the divisions of the season *after*, in words; empty if there are none."""
    return [
        *_badges(before, after),
        *_vacancies(after, size),
        *_order(before, after),
        *_relegated(before, after),
        *_promoted(before, after),
        *_newcomers(before, after),
    ]


def _level(divisions: list[list[int]], player: int) -> int | None:
    return next((at for at, players in enumerate(divisions) if player in players), None)


def _stay(before: EndedSeason, at: int) -> list[int]:
    """The players who get a place at the end of a season, in order of rank."""
    return [player for player in before.divisions[at] if player not in before.left]


def _table_ups(before: EndedSeason, at: int) -> list[int]:
    return _stay(before, at)[: before.up] if at else []


def _table_downs(before: EndedSeason, at: int) -> list[int]:
    """The last players, without those who go up."""
    if at == len(before.divisions) - 1:
        return []
    staying = _stay(before, at)
    last = staying[max(0, len(staying) - before.down) :]
    return [player for player in last if player not in _table_ups(before, at)]


def _badges(before: EndedSeason, after: list[list[int]]) -> Iterator[str]:
    for at, players in enumerate(before.divisions):
        for player in players:
            now = _level(after, player)
            happened = "" if now is None or now == at else "up" if now < at else "down"
            if before.badges.get(player, "") != happened:
                yield f"{player} has the badge {before.badges.get(player, '')!r}, and {happened!r} happened"


def _vacancies(after: list[list[int]], size: int) -> Iterator[str]:
    for players in after[:-1]:
        if len(players) < size:
            yield f"a place above stays vacant: {[len(one) for one in after]}"


def _order(before: EndedSeason, after: list[list[int]]) -> Iterator[str]:
    """Check that nobody rises above a better player."""
    for at in range(len(before.divisions)):
        here = [player for player in before.divisions[at] if _level(after, player) is not None]
        for better, worse in itertools.pairwise(here):
            if _level(after, worse) < _level(after, better):  # type: ignore[operator]
                yield f"{worse} plays above {better}, who ranked higher in division {at + 1}"
        relegated = _table_downs(before, at)
        for lower in range(at + 1, len(before.divisions)):
            for worse in before.divisions[lower]:
                place = _level(after, worse)
                if place is None:
                    continue
                passed = [one for one in here if one not in relegated and (_level(after, one) or 0) > place]
                for better in passed:
                    yield f"{worse} of division {lower + 1} plays above {better} of division {at + 1}"


def _relegated(before: EndedSeason, after: list[list[int]]) -> Iterator[str]:
    """Check that relegated players stay only where nobody else could rise, and nobody else goes down."""
    for at, players in enumerate(before.divisions):
        relegated = _table_downs(before, at)
        for player in players:
            now = _level(after, player)
            if now is None:
                continue
            if now > at and (player not in relegated or now > at + 1):
                yield f"{player} goes down from division {at + 1} to {now + 1} and should not"
            if player in relegated and now <= at:
                below = set(before.divisions[at + 1]) - set(_table_downs(before, at + 1))
                if waiting := [one for one in below if (_level(after, one) or 0) > at]:
                    yield f"{player} was relegated and stays, while {waiting} could rise"


def _promoted(before: EndedSeason, after: list[list[int]]) -> Iterator[str]:
    for at in range(1, len(before.divisions)):
        for player in _table_ups(before, at):
            if (_level(after, player) or 0) >= at:
                yield f"{player} was promoted from division {at + 1} and stays"


def _newcomers(before: EndedSeason, after: list[list[int]]) -> Iterator[str]:
    there = {player for players in before.divisions for player in players}
    lowest = max((at for at, players in enumerate(after) if there & set(players)), default=0)
    for players in after[:lowest]:
        if new := set(players) - there:
            yield f"newcomers {new} stand above players who were there"
