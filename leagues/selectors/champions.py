"""The champions of a league: most titles, and longest runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from leagues.models import Team
from leagues.selectors.archive import Won

MOST = 10


class Run(NamedTuple):
    """Consecutive seasons in which a player or team won the first division."""

    holder: Hashable  # a player, or a team
    first: int
    last: int
    length: int


def count_titles(champions: Sequence[Won]) -> list[tuple[Won, int]]:
    """Return those of *champions* with the most titles, each with the latest win, and the number.

    :param champions: the latest first, as ``load_champions`` returns them
    """
    latest = _find_latest(champions)
    titles = Counter(map(_same, reversed(champions)))  # for equal numbers, the first holder
    return [(latest[holder], n) for holder, n in titles.most_common(MOST)]


def find_longest_runs(champions: Sequence[Won], seasons: Iterable[int]) -> list[tuple[Won, Run]]:
    """Return the longest runs of *champions* in *seasons*, the numbers of those that were played, each with
    the latest win of its holder."""
    won: dict[int, set[Hashable]] = {}
    for one in champions:
        won.setdefault(one.season.number, set()).add(_same(one))
    runs = [run for run in find_runs(seasons, won) if run.length > 1]
    latest = _find_latest(champions)
    return [(latest[run.holder], run) for run in sorted(runs, key=lambda run: -run.length)[:MOST]]


def _find_latest(champions: Sequence[Won]) -> dict[Hashable, Won]:
    return {_same(one): one for one in reversed(champions)}


def _same(won: Won) -> Hashable:
    """The identity of a winner across seasons; teams are the same if they have the same name."""
    return won.holder.name.casefold() if isinstance(won.holder, Team) else won.holder.pk


def find_runs(seasons: Iterable[int], won: Mapping[int, Collection[Hashable]]) -> list[Run]:
    """Return the runs of consecutive wins, the earliest first. *seasons* are the numbers of those that were
    played.

    >>> find_runs([1, 2, 4], {1: {7}, 2: {7, 8}, 4: {8}})
    [Run(holder=7, first=1, last=2, length=2), Run(holder=8, first=2, last=4, length=2)]
    """
    done: list[Run] = []
    running: dict[Hashable, Run] = {}
    for season in seasons:
        winners = won.get(season, ())
        done += [run for player, run in running.items() if player not in winners]
        before = running
        running = {}
        for player in sorted(winners, key=str):
            run = before.get(player)
            first, length = (run.first, run.length + 1) if run else (season, 1)
            running[player] = Run(player, first, season, length)
    return sorted([*done, *running.values()], key=lambda run: (run.first, str(run.holder)))
