"""Brackets: their rounds as far as they are known, and the ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from leagues.models import Division, Match, Seed, TeamMatch
from leagues.schedules import Elimination, Part, Tie
from leagues.seasons.brackets import build_bracket
from leagues.selectors.board_records import rank_players
from leagues.selectors.leagues import load_seeds

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class TieBox(NamedTuple):
    """A match of the bracket, or a bye into the next round."""

    bye: bool
    empty: bool  # nobody ever comes there
    best_of: int
    slots: list[tuple[Seed | None, Any]]  # none: not known yet; with the games, or boards, won
    winner: int | None  # its player or team
    match: Match | TeamMatch | None


class BracketRound(NamedTuple):
    """A round of a bracket."""

    name: str
    ties: list[TieBox]
    ends: datetime | None
    straight: bool  # each of its matches leads to one of the next round, instead of two
    optional: bool  # it is not known yet whether it is played


def load_bracket(division: Division, brackets: Mapping[tuple[Part, ...], StrOrPromise]) -> dict[str, Any]:
    """Return what the page of *division* shows: its *brackets*, of these parts, with their names."""
    seeds = load_seeds(division)
    cup = build_bracket(division, seeds)
    matches = division.contenders.load_matches(division)
    drawn = {(match.round - 1, match.number - 1): match for match in matches}
    of_holder = {seed.holder: seed for seed in seeds}
    boxes = [[(tie, _build_box(tie, cup, drawn, of_holder)) for tie in each] for each in cup.rounds()]
    third = next((box for tie, box in boxes[-1] if tie.part == Part.THIRD_PLACE), None)
    on_podium = 0
    if cup.champion is not None:
        on_podium = 2 if third is not None and third.winner is None else 3
    listed = [(name, _list_rounds(division, boxes, parts)) for parts, name in brackets.items()]
    return {
        "rows": seeds,
        "medals": [seed for seed in seeds if seed.rank <= on_podium],
        "brackets": [(name, columns) for name, columns in listed if columns],
        "third_place": third,
        "players": rank_players([match for match in matches if isinstance(match, TeamMatch)]),
    }


def _list_rounds(
    division: Division, boxes: Sequence[Sequence[tuple[Tie[int], TieBox]]], parts: Sequence[Part]
) -> list[BracketRound]:
    """The rounds of one bracket, which consists of *parts*."""
    there = [[one for one in each if one[0].part in parts] for each in boxes]
    there = [each for each in there if each]
    columns = []
    for at, each in enumerate(there):
        first, ties = each[0][0], [box for _, box in each]
        columns.append(
            BracketRound(
                name=division.name_round(first.round + 1, first.number + 1),
                ties=ties,
                ends=_find_end(ties),
                straight=at + 1 < len(there) and len(there[at + 1]) == len(ties),
                optional=first.part == Part.DECIDER and first.pairing is None,
            )
        )
    return columns


def _build_box(
    tie: Tie[int],
    cup: Elimination[int],
    drawn: Mapping[tuple[int, int], Match | TeamMatch],
    seeds: Mapping[int, Seed],
) -> TieBox:
    match = drawn.get((tie.round, tie.number))
    wins: Mapping[int, Any] = match.wins if match is not None else {}
    holders = tie.players[:1] if tie.bye else tie.players
    return TieBox(
        bye=tie.bye,
        empty=tie.empty,
        best_of=tie.best_of,
        slots=[(None, "") if key is None else (seeds[key], wins.get(key, "")) for key in holders],
        winner=None if tie.bye else cup.winner(tie),
        match=match,
    )


def _find_end(ties: Sequence[TieBox]) -> datetime | None:
    """The latest end of the matches of a round, unless it is not drawn yet, or over."""
    undecided = (tie.match for tie in ties if tie.match is not None and not tie.match.decided)
    return next((match.ends for match in undecided if match.ends is not None), None)
