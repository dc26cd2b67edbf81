"""A knock-out: its rounds as far as they are known, and the ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from leagues.models import Division, Match, Seed, TeamMatch
from leagues.schedules import KnockOut, Tie
from leagues.seasons.brackets import build_knock_out
from leagues.selectors.board_records import rank_players
from leagues.selectors.leagues import load_seeds


class TieBox(NamedTuple):
    """A match of the bracket, or a bye into the next round."""

    bye: bool
    best_of: int
    slots: list[tuple[Seed | None, Any]]  # none: not known yet; with the games, or boards, won
    winner: int | None  # its player or team
    match: Match | TeamMatch | None


def load_bracket(division: Division) -> dict[str, Any]:
    """Return what the page of the knock-out *division* shows."""
    seeds = load_seeds(division)
    cup = build_knock_out(division, seeds)
    matches = division.contenders.load_matches(division)
    drawn = {(match.round - 1, match.number - 1): match for match in matches}
    of_holder = {seed.holder: seed for seed in seeds}
    rounds = cup.rounds()
    boxes = [
        [_build_box(tie, cup, drawn, of_holder) for tie in ties if not tie.third_place] for ties in rounds
    ]
    third = next((tie for tie in rounds[-1] if tie.third_place), None)
    on_podium = 0
    if cup.champion is not None:
        on_podium = 3 if third is None or cup.winner(third) is not None else 2
    return {
        "rows": seeds,
        "medals": [seed for seed in seeds if seed.rank <= on_podium],
        "columns": [(ties, _find_end(ties)) for ties in boxes],
        "third_place": _build_box(third, cup, drawn, of_holder) if third is not None else None,
        "players": rank_players([match for match in matches if isinstance(match, TeamMatch)]),
    }


def _build_box(
    tie: Tie[int],
    cup: KnockOut[int],
    drawn: Mapping[tuple[int, int], Match | TeamMatch],
    seeds: Mapping[int, Seed],
) -> TieBox:
    match = drawn.get((tie.round, tie.number))
    wins: Mapping[int, Any] = match.wins if match is not None else {}
    holders = tie.players[:1] if tie.bye else tie.players
    return TieBox(
        bye=tie.bye,
        best_of=tie.best_of,
        slots=[(None, "") if key is None else (seeds[key], wins.get(key, "")) for key in holders],
        winner=None if tie.bye else cup.winner(tie),
        match=match,
    )


def _find_end(ties: Sequence[TieBox]) -> datetime | None:
    """The latest end of the matches of a round, unless it is not drawn yet, or over."""
    undecided = (tie.match for tie in ties if tie.match is not None and not tie.match.decided)
    return next((match.ends for match in undecided if match.ends is not None), None)
