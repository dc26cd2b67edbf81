"""Tie-break criteria, each a small function under its name (STAND-6 to 11, 19).

A criterion gets the tally, a player, and the group of players still equal (including the player).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction

from leagues.standings.matches import award_pair_points
from leagues.standings.tally import Tally
from leagues.standings.values import DUPLICATE, MATCH_WIN, GameResult, PlayerId

Value = Fraction | str
"""A number, or hexadecimal digits for the lot."""

Function = Callable[[Tally, PlayerId, Collection[PlayerId]], Value]

LOT = "lot"


@dataclass(frozen=True, slots=True)
class Criterion:
    """A tie-break: more is better, unless it is *ascending*."""

    name: str
    function: Function
    ascending: bool = False


CRITERIA: dict[str, Criterion] = {}


def criterion(name: str, *, ascending: bool = False) -> Callable[[Function], Function]:
    """Register a function as the tie-break of that *name*."""

    def register(function: Function) -> Function:
        CRITERIA[name] = Criterion(name, function, ascending)
        return function

    return register


@criterion("head_to_head")
def head_to_head(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """Return the result of the *player* against the others of the *group* (STAND-6).

    In duels the points of matches, or games, against them. At larger tables 2 for each of them ranked below
    in the same game and 1 for each with the same rank, whoever else sat there. 0 for a player who met none of
    them.
    """
    if tally.rules.duels:
        return sum(
            (
                contest.points[contest.seat(player)]
                for contest in tally.contests[player]
                if all(one in group for one in contest.players)
            ),
            Fraction(),
        )
    return Fraction(sum(_against(game, player, group) for game in tally.games[player]))


def _against(game: GameResult, player: PlayerId, group: Collection[PlayerId]) -> int:
    """Pair points of the *player* against the *group* in a *game* at a larger table."""
    own = game.ranks[game.players.index(player)]
    return sum(
        award_pair_points(own, seat.rank)
        for seat in game.seats
        if seat.player in group and seat.player != player
    )


@criterion("games_won")
def games_won(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """Games won alone; a shared first place counts one half, however many share it (STAND-7)."""
    halves = sum(2 if len(game.winners) == 1 else 1 for game in tally.games[player] if player in game.winners)
    return Fraction(halves, 2)


@criterion("firsts")
def firsts(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """First places; one shared among n counts 1/n (STAND-7)."""
    won = (game for game in tally.games[player] if player in game.winners)
    return sum((Fraction(1, len(game.winners)) for game in won), Fraction())


@criterion("score_difference")
def score_difference(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """Own score minus the mean score of the other seats, over all games in which every seat has one
    (STAND-8)."""
    difference = Fraction()
    for game in tally.games[player]:
        if game.scores is not None:
            own = game.scores[game.players.index(player)]
            difference += own - Fraction(sum(game.scores) - own, len(game.scores) - 1)
    return difference


@criterion(DUPLICATE)
def duplicate(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """Own score minus the mean score of the same seat at the other tables with the same tiles, over all games
    in which every seat has a score (STAND-19). Games without another table for that seat have no term."""
    total = Fraction()
    for game in tally.games[player]:
        if game.draw is None or game.scores is None:
            continue
        seat = game.players.index(player)
        others = [
            other.scores[seat]
            for other in tally.draws[game.draw]
            if other is not game and other.scores is not None and seat < len(other.scores)
        ]
        if others:
            total += game.scores[seat] - Fraction(sum(others), len(others))
    return total


@criterion("buchholz")
def buchholz(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """The sum of the opponents' points (STAND-9)."""
    return sum(opponents_points(tally, player), Fraction())


@criterion("buchholz_cut1")
def buchholz_cut1(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """The sum of the opponents' points without the smallest of them (STAND-9)."""
    return sum(sorted(opponents_points(tally, player))[1:], Fraction())


def opponents_points(tally: Tally, player: PlayerId) -> list[Fraction]:
    """The terms of Buchholz: one for each match or game, at larger tables one for each other seat
    (STAND-9)."""
    return [
        tally.points[other]
        for contest in tally.contests[player]
        for other in contest.players
        if other != player
    ]


@criterion("sonneborn_berger")
def sonneborn_berger(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """The points of beaten opponents, and half of those of opponents with an even result (STAND-10)."""
    total = Fraction()
    for contest in tally.contests[player]:
        own = contest.ranks[contest.seat(player)]
        for other, rank in zip(contest.players, contest.ranks, strict=True):
            if other != player and rank >= own:
                total += tally.points[other] if rank > own else tally.points[other] / 2
    return total


def points_lost(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """The most points that the games or matches counted so far could have brought, less the own (STAND-5)."""
    best = MATCH_WIN if tally.rules.best_of > 1 else Fraction(tally.rules.points[0])
    return best * len(tally.contests[player]) - tally.points[player]


POINTS_LOST = Criterion("points_lost", points_lost, ascending=True)
"""The criterion before the tie-breaks while a round robin is running; no league chooses it."""


@criterion("rating")
def rating(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """The rating before the season (STAND-11)."""
    return Fraction(tally.entrants[player].rating)


@criterion(LOT, ascending=True)
def lot(tally: Tally, player: PlayerId, group: Collection[PlayerId]) -> Value:
    """The player's lot in this season, the smallest first (STAND-11)."""
    return draw_lot(tally.season, player)


def draw_lot(season: str | int, player: PlayerId) -> str:
    """SHA-256, in hexadecimal digits, of the season's and the player's id.

    >>> draw_lot("2027-1", "ann")[:8]
    'a144a675'
    """
    return hashlib.sha256(f"{season}/{player}".encode()).hexdigest()
