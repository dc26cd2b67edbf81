"""Swiss rounds by the FIDE Dutch system, as the library py4swiss pairs them (STAND-15).

This module only writes what has been played in the library's words, those of FIDE's tournament report, and
reads its answer. The library follows the rules that were in force until January 2026 (C.04.3).

Loading the library takes a fifth of a second, so the package does not import this module.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from py4swiss.engines.common import PairingError
from py4swiss.engines.dutch import Engine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from leagues.schedules.rounds import Id, Pairing, Round, distinct
from leagues.schedules.series import Points

NOBODY = 0
"""The number of the opponent where there is none."""

PLAYED: Mapping[Points, tuple[ResultToken, ResultToken]] = {
    (2, 0): (ResultToken.WIN, ResultToken.LOSS),
    (1, 1): (ResultToken.DRAW, ResultToken.DRAW),
}
FORFEITED: Mapping[Points, tuple[ResultToken, ResultToken]] = {
    (2, 0): (ResultToken.FORFEIT_WIN, ResultToken.FORFEIT_LOSS),
    (0, 0): (ResultToken.FORFEIT_LOSS, ResultToken.FORFEIT_LOSS),
    # The report knows no forfeit that both half win, but half a point for a round in which nobody played.
    (1, 1): (ResultToken.HALF_POINT_BYE, ResultToken.HALF_POINT_BYE),
}


class NoPairing(Exception):
    """There is no round in which nobody meets an earlier opponent, has a second bye or begins too often."""


@dataclass(frozen=True, slots=True)
class SwissMatch(Generic[Id]):
    """A match of a Swiss round: its two *players*, who began it first, and their match *points* (STAND-2).

    Points are 2 and 0, or 1 and 1, for a match of any length: who wins a best of three has the 2, however it
    went. To the library they are the whole and the half point of chess. Who begins the first game of a match
    has its first seat. A *forfeit* (STAND-3) was not played: the two may meet again, it counts for nobody's
    first seats, and both may have 0.
    """

    players: tuple[Id, Id]
    points: Points
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class SwissRound(Generic[Id]):
    """What came of a round: whoever is in none of its *matches*, and has no bye, was absent and has 0 points.

    So are those who joined later, and those who had withdrawn.
    """

    matches: tuple[SwissMatch[Id], ...]
    byes: tuple[Id, ...] = ()  # a win each (STAND-3)


def swiss_round(
    players: Sequence[Id],
    played: Sequence[SwissRound[Id]],
    rounds: int,
    *,
    absent: Collection[Id] = (),
    first_begins: bool = True,
) -> Round[Id]:
    """The next round (STAND-15): pairings in order of the tables, and at most one bye.

    >>> one = swiss_round("ABCDE", [], rounds=3)
    >>> ["".join(pairing.players) for pairing in one.pairings], one.byes
    (['AC', 'DB'], ('E',))

    :param players: everybody who ever was in it, in order of their ratings (the initial ranking), with those
        who joined late and those who withdrew
    :param rounds: how many are planned; in the last one first seats weigh less for whoever has more than
        half of the points
    :param absent: who does not play in this round, or has withdrawn
    :param first_begins: whether the first player begins in the first round
    :raises NoPairing: there is no such round any more
    :raises ValueError: somebody is named twice or is not one of *players*, all rounds were played, or a match
        has points that no match has
    """
    order = distinct(players, 1)
    if len(played) >= rounds:
        raise ValueError("all rounds were played")
    report = tournament_report(order, played, rounds, absent=absent, first_begins=first_begins)
    if len(absent) >= len(order):
        raise NoPairing("nobody plays")
    try:
        pairs = Engine.generate_pairings(report)
    except PairingError as error:
        raise NoPairing("nobody is left to play whom everybody could meet") from error
    pairings = [Pairing((order[pair.white - 1], order[pair.black - 1])) for pair in pairs if pair.black]
    byes = [order[pair.white - 1] for pair in pairs if not pair.black]
    return Round(tuple(pairings), tuple(byes))


def tournament_report(
    players: Sequence[Id],
    played: Sequence[SwissRound[Id]],
    rounds: int,
    *,
    absent: Collection[Id] = (),
    first_begins: bool = True,
) -> ParsedTrf:
    """The tournament so far as FIDE's report, which any program for Swiss tournaments reads (its
    ``write_to_file``): *players* by their places from 1, who begins as White.

    Arguments and errors are those of :func:`swiss_round`.
    """
    numbers = {player: number for number, player in enumerate(distinct(players, 1), start=1)}
    strangers = set(absent).union(*(_named(each) for each in played)) - numbers.keys()
    if strangers:
        raise ValueError(f"{sorted(map(str, strangers))} are not in this tournament")
    section = XSection(number_of_rounds=rounds, zeroed_ids={numbers[player] for player in absent})
    section.configuration.first_round_color = first_begins
    results = [_results(each, numbers) for each in played]
    points = section.scoring_point_system
    sections = []
    for player, number in numbers.items():
        own = [result[player] for result in results]
        total = sum(points.get_points_times_ten(result) for result in own)
        sections.append(
            PlayerSection(
                code=PlayerCode.PLAYER,
                starting_number=number,
                name=f"Player {number}",
                points_times_ten=total,
                rank=number,
                results=own,
            )
        )
    report = ParsedTrf(player_sections=sections, x_section=section)
    report.validate_contents()
    return report


def _named(each: SwissRound[Id]) -> list[Id]:
    """Everybody who played in a round or had a bye.

    :raises ValueError: somebody twice
    """
    names = [player for match in each.matches for player in match.players] + list(each.byes)
    if len(set(names)) < len(names):
        raise ValueError("nobody can be twice in a round")
    return names


def _results(each: SwissRound[Id], numbers: dict[Id, int]) -> dict[Id, RoundResult]:
    results = dict.fromkeys(numbers, _without_opponent(ResultToken.ZERO_POINT_BYE))
    for player in each.byes:
        results[player] = _without_opponent(ResultToken.PAIRING_ALLOCATED_BYE)
    for match in each.matches:
        first, second = match.players
        for player, opponent, color, token in zip(
            match.players, (second, first), (ColorToken.WHITE, ColorToken.BLACK), _tokens(match), strict=True
        ):
            results[player] = (
                _without_opponent(token)
                if token.is_bye()
                else RoundResult(id=numbers[opponent], color=color, result=token)
            )
    return results


def _without_opponent(token: ResultToken) -> RoundResult:
    return RoundResult(id=NOBODY, color=ColorToken.BYE_OR_NOT_PAIRED, result=token)


def _tokens(match: SwissMatch[Id]) -> tuple[ResultToken, ResultToken]:
    known = FORFEITED if match.forfeit else PLAYED
    first, second = match.points
    if (first, second) in known:
        return known[first, second]
    if (second, first) in known:
        lower, higher = known[second, first]
        return higher, lower
    raise ValueError(f"{first} and {second} are not the points of a match")
