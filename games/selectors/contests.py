"""Contests that games belong to, such as a round of a league, and what games count there.

Games don't know leagues: code that begins games for a contest sets its kind (``Game.contest``), and registers
a source in ``games.hooks.GAME_CONTESTS``. A game without a contest costs no query.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from accounts.models import Player
from games import hooks
from games.hooks import PageLink
from games.models import Game, Result, Seat


class ContestVerdict(NamedTuple):
    """The result of a game that has ended, as its contest counts it (STAND-21), in the active language.

    All that words its result asks it, and congratulates nobody before it is ``decided``.
    """

    ranks: Mapping[int, int]  # by primary key of the player; empty until it is decided
    headline: str  # the result in the third person, or who decides it until when
    explanation: str  # who decided it, when and why, or until when; empty if the game itself did
    label: str  # the same in a few words, for lists

    @property
    def decided(self) -> bool:
        return bool(self.ranks)

    def get_result(self, player: int | None) -> Result | None:
        """Return the result of the *player* with this primary key; ``None`` if they have none, or not yet."""
        rank = self.ranks.get(player or 0)
        if rank is None or rank > 1:
            return None if rank is None else Result.LOST
        return Result.WON if list(self.ranks.values()).count(1) == 1 else Result.SHARED

    def agrees_with(self, seats: Iterable[Seat]) -> bool:
        """Return whether it is the game's own result."""
        return self.decided and all(self.ranks.get(seat.player_id or 0) == seat.rank for seat in seats)


class GameContest(Protocol):
    """The contest of a game, in the active language."""

    @property
    def links(self) -> list[PageLink]:
        """The contest and its parts that the game is in, the largest first."""

    @property
    def verdict(self) -> ContestVerdict | None:
        """The result there; ``None`` before the end of the game, or if its own is all there is."""


def load_contests(games: Iterable[Game]) -> dict[int, GameContest]:
    """The contests of those of *games* that are in one, by the game's primary key; a fixed number of queries
    for each kind."""
    keys: dict[str, set[int]] = defaultdict(set)
    for game in games:
        if game.contest:
            keys[game.contest].add(game.pk)
    contests: dict[int, GameContest] = {}
    for kind, theirs in keys.items():
        source = hooks.GAME_CONTESTS.get(kind)
        if source is not None:
            contests.update(source.load(theirs))
    return contests


def load_contest(game: Game) -> GameContest | None:
    return load_contests([game]).get(game.pk)


def load_verdicts(games: Iterable[Game]) -> dict[int, ContestVerdict]:
    """The verdicts on those of *games* that have ended in a contest, by primary key."""
    found = load_contests(game for game in games if game.ended)
    verdicts = {pk: contest.verdict for pk, contest in found.items()}
    return {pk: verdict for pk, verdict in verdicts.items() if verdict is not None}


def load_ruled_games(player: Player) -> dict[int, ContestVerdict]:
    """The verdicts on finished games of *player* that may differ from the games' own results, by primary key;
    one query for each kind of contest if there are none."""
    ruled: dict[int, ContestVerdict] = {}
    for source in hooks.GAME_CONTESTS:
        games = source.find_ruled(player)
        for pk, contest in (source.load(games) if games else {}).items():
            if contest.verdict is not None:
                ruled[pk] = contest.verdict
    return ruled


def connect_verdict(seats: Sequence[Seat], verdict: ContestVerdict | None) -> None:
    """Let the *seats* of a game know the *verdict* on it, for ``Seat.counted_rank``."""
    for seat in seats:
        seat.verdict = verdict
