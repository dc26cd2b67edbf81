"""Contests that games belong to, such as a round of a league.

Games don't know leagues: code that begins games for a contest sets its kind (``Game.contest``), and registers
a loader in ``games.hooks.GAME_CONTESTS``. A game without a contest costs no query.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

from games import hooks
from games.hooks import PageLink
from games.models import Game


class GameContest(Protocol):
    """The contest of a game, in the active language."""

    @property
    def links(self) -> list[PageLink]:
        """The contest and its parts that the game is in, the largest first."""

    @property
    def verdict(self) -> str:
        """The result in the contest if it differs from the board: who decided it, and why."""


def load_contests(games: Iterable[Game]) -> dict[int, GameContest]:
    """The contests of those of *games* that are in one, by the game's primary key; a fixed number of queries
    for each kind."""
    keys: dict[str, set[int]] = defaultdict(set)
    for game in games:
        if game.contest:
            keys[game.contest].add(game.pk)
    contests: dict[int, GameContest] = {}
    for kind, theirs in keys.items():
        load = hooks.GAME_CONTESTS.get(kind)
        if load is not None:
            contests.update(load(theirs))
    return contests


def load_contest(game: Game) -> GameContest | None:
    return load_contests([game]).get(game.pk)
