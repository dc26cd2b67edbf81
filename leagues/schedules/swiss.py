"""Swiss rounds by the FIDE Dutch system of 2025, paired by the library py4swiss (STAND-15).

The library follows the rules that were in force until January 2026 (C.04.3). Those of 2025 give the bye to
the lowest score that lets all others be paired, so who may have it is decided here, and the library chooses
among them (docs/schedules.md says what else the editions differ in).

Loading the library takes a fifth of a second, so the package does not import this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Generic

from py4swiss.engines.dutch import Engine
from py4swiss.engines.dutch.bracket import BracketPairer, Brackets
from py4swiss.engines.dutch.player import Player, get_player_infos_from_trf
from py4swiss.engines.dutch.validity_matcher import ValidityMatcher
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from leagues.schedules.rounds import Id, Pairing, Round, check_distinct
from leagues.schedules.separation import Pairs
from leagues.schedules.series import Points

NOBODY = 0
"""Number of the opponent in a bye."""

TENTHS = 5
"""Tenths of a point of the report per match point: a win is two match points, and one point in the report."""

PLAYED: Mapping[Points, tuple[ResultToken, ResultToken]] = {
    (2, 0): (ResultToken.WIN, ResultToken.LOSS),
    (1, 1): (ResultToken.DRAW, ResultToken.DRAW),
}
FORFEITED: Mapping[Points, tuple[ResultToken, ResultToken]] = {
    (2, 0): (ResultToken.FORFEIT_WIN, ResultToken.FORFEIT_LOSS),
    (0, 0): (ResultToken.FORFEIT_LOSS, ResultToken.FORFEIT_LOSS),
    # The report has no forfeit drawn by both, but a half-point bye.
    (1, 1): (ResultToken.HALF_POINT_BYE, ResultToken.HALF_POINT_BYE),
}


class NoPairing(Exception):
    """Raised when no round is left in which nobody meets an earlier opponent, has a second bye or begins too
    often."""


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
    """Results of a round. Players in none of its *matches* who have no bye were absent and get 0 points; so
    are late entrants and players who had withdrawn."""

    matches: tuple[SwissMatch[Id], ...]
    byes: tuple[Id, ...] = ()  # a win each (STAND-3)


def pair_swiss_round(
    players: Sequence[Id],
    played: Sequence[SwissRound[Id]],
    rounds: int,
    *,
    absent: Collection[Id] = (),
    apart: Pairs[Id] = (),
    penalties: Mapping[Id, Fraction] = MappingProxyType({}),
    first_begins: bool = True,
) -> Round[Id]:
    """Draw the next round (STAND-15): pairings in order of the tables, and at most one bye.

    >>> one = pair_swiss_round("ABCDE", [], rounds=3)
    >>> ["".join(pairing.players) for pairing in one.pairings], one.byes
    (['AC', 'DB'], ('E',))

    :param players: all who ever took part, in order of their ratings (the initial ranking), including late
        entrants and those who withdrew
    :param rounds: number of planned rounds; in the last one first seats weigh less for players with more than
        half of the points
    :param absent: players who sit this round out, or have withdrawn
    :param apart: pairs that don't meet if that is possible, the most important first
    :param penalties: match points taken from players: score groups are those of what they have left
    :param first_begins: whether the first player begins in the first round
    :raises NoPairing: there is no such round any more
    :raises ValueError: somebody is named twice or is not one of *players*, all rounds were played, or a match
        has points that no match has
    """
    order = check_distinct(players, 1)
    if len(played) >= rounds:
        raise ValueError("all rounds were played")
    report = build_tournament_report(
        order, played, rounds, absent=absent, penalties=penalties, first_begins=first_begins
    )
    if len(absent) >= len(order):
        raise NoPairing("nobody plays")
    numbers = {player: number for number, player in enumerate(order, start=1)}
    there = [pair for pair in apart if pair <= numbers.keys() - set(absent)]
    _forbid(report, [(numbers[one], numbers[other]) for one, other in there])
    pairs = pair_players(report)
    pairings = [Pairing((order[first - 1], order[second - 1])) for first, second in pairs if second != NOBODY]
    byes = [order[first - 1] for first, second in pairs if second == NOBODY]
    return Round(tuple(pairings), tuple(byes))


def _forbid(report: ParsedTrf, pairs: Sequence[tuple[int, int]]) -> None:
    """Forbid each of *pairs*, in order, if a round of *report* remains possible."""
    forbidden = report.x_section.forbidden_pairs
    for pair in pairs:
        forbidden.add(pair)
        if not _has_pairing(report):
            forbidden.discard(pair)


def _has_pairing(report: ParsedTrf) -> bool:
    players = sorted(get_player_infos_from_trf(report), reverse=True)
    if len(players) % 2 == 0:
        return _can_be_paired(players, report)
    try:
        return bool(_eligible_for_bye(players, report))
    except NoPairing:
        return False


def pair_players(report: ParsedTrf) -> list[tuple[int, int]]:
    """Pair everybody present in *report*, by number, in order of the tables; ``NOBODY`` stands for a bye.

    Criterion C.9 (the bye goes to whoever has the fewest rounds not played) counts only where it costs none
    of the criteria before it, which are about who plays outside of their score group.

    :raises NoPairing: there is no pairing by the absolute rules
    """
    players = sorted(get_player_infos_from_trf(report), reverse=True)
    eligible = _eligible_for_bye(players, report)
    pairs = _pair(report, eligible)
    unplayed = Counter(
        section.starting_number
        for section in report.player_sections
        for result in section.results
        if not result.result.is_played()
    )
    points = {player.id: player.points_with_acceleration for player in players}
    for most in sorted({unplayed[number] for number in eligible})[:-1]:
        fewest = {number for number in eligible if unplayed[number] == most}
        try:
            tried = _pair(report, fewest)
        except NoPairing:
            continue
        if _floaters(tried, points) == _floaters(pairs, points):
            return tried
    return pairs


def _eligible_for_bye(players: list[Player], report: ParsedTrf) -> set[int]:
    """The numbers of those with the lowest score with which the bye leaves a pairing of all others (C.5).

    Empty where all *players*, the highest first, are paired.

    :raises NoPairing: nobody can have the bye
    """
    if len(players) % 2 == 0:
        return set()
    for candidate in reversed(players):
        others = [player for player in players if player != candidate]
        if not candidate.bye_received and _can_be_paired(others, report):
            score = candidate.points_with_acceleration
            same = [player for player in players if player.points_with_acceleration == score]
            return {player.id for player in same if not player.bye_received}
    raise NoPairing("nobody can have the bye and leave opponents to all others")


def _can_be_paired(players: list[Player], report: ParsedTrf) -> bool:
    return not players or ValidityMatcher(players, report.x_section.forbidden_pairs).is_valid_matching()


def _pair(report: ParsedTrf, eligible: Collection[int]) -> list[tuple[int, int]]:
    """Pair as the library's ``Engine.generate_pairings``, with a bye for one of *eligible* only.

    :raises NoPairing: there is no pairing by the absolute rules
    """
    players = sorted(get_player_infos_from_trf(report), reverse=True)
    if eligible:
        for player in players:
            player.bye_received = player.id not in eligible
    matcher = ValidityMatcher(players, report.x_section.forbidden_pairs)
    if not matcher.is_valid_matching():
        raise NoPairing("nobody is left to play whom everybody could meet")
    rounds_played = min(len(section.results) for section in report.player_sections)
    brackets = Brackets(players, rounds_played + 1)
    first_begins = report.x_section.configuration.first_round_color
    pairs: list[tuple[Player, Player]] = []
    while not brackets.is_finished():
        pairer = BracketPairer(brackets.get_current_bracket(), matcher, first_begins)
        paired = Engine._get_bracket_pairs(pairer)
        if paired is None:
            brackets.collapse()
        else:
            brackets.apply_bracket_pairings(paired)
            pairs += paired
    pairs.sort(key=Engine._get_player_pair_score, reverse=True)
    return [(first.id, NOBODY if first == second else second.id) for first, second in pairs]


def _floaters(pairs: Collection[tuple[int, int]], points: Mapping[int, int]) -> list[list[int]]:
    """The scores of players paired below each score group, from the highest group on (C.6 to C.8)."""
    nothing = min(points.values()) - 1
    scores = [sorted((points[first], points.get(second, nothing)), reverse=True) for first, second in pairs]
    return [
        sorted((high for high, low in scores if low < bound <= high), reverse=True)
        for bound in sorted(set(points.values()), reverse=True)
    ]


def build_tournament_report(
    players: Sequence[Id],
    played: Sequence[SwissRound[Id]],
    rounds: int,
    *,
    absent: Collection[Id] = (),
    penalties: Mapping[Id, Fraction] = MappingProxyType({}),
    first_begins: bool = True,
) -> ParsedTrf:
    """Build FIDE's tournament report, which programs for Swiss tournaments read (its ``write_to_file``).
    *players* are numbered from 1, the one who begins has White.

    Arguments and errors are those of :func:`pair_swiss_round`. Penalties are written as accelerated pairings,
    points that are added in each round, but below 0.
    """
    numbers = {player: number for number, player in enumerate(check_distinct(players, 1), start=1)}
    named = (_list_participants(each) for each in played)
    strangers = set(absent).union(penalties, *named) - numbers.keys()
    if strangers:
        raise ValueError(f"{sorted(map(str, strangers))} are not in this tournament")
    section = XSection(number_of_rounds=rounds, zeroed_ids={numbers[player] for player in absent})
    section.configuration.first_round_color = first_begins
    for player, taken in penalties.items():
        section.accelerations[numbers[player]] = [-int(taken * TENTHS)] * (len(played) + 1)
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


def _list_participants(each: SwissRound[Id]) -> list[Id]:
    """All players in a round, including byes.

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
