"""Statistics of each seat of a finished game, computed from its moves. Pure functions of values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

BY_HAND = ("web", "mail", "api")
"""Channels of turns whose time says something about the player."""

BY_PERSON = (*BY_HAND, "plan")
LEAVING = ("resign", "time_out")
CHANGED_HANDS = ("take_over", "hand_over", "replace", "caretaker", "offered")

LEAST_SECONDS = 60.0
"""Seconds that a shorter turn counts as: nobody stalls within seconds."""


@dataclass(frozen=True, slots=True)
class SeatSheet:
    """Statistics of a seat.

    ``given``: to each seat the points that turns of this one brought it beyond what they brought this one
    itself. ``early``, ``late``: the median time of its turns in the first and in the second half of the game,
    in seconds; None without such turns by hand. ``half``: its points less those of the best other seat when
    half of the tiles lay. ``left``: the same when it resigned or lost on time, if it did. ``score``: its
    points at the end. ``same``: whether one person had it all the time.
    """

    given: tuple[int, ...]
    early: float | None
    late: float | None
    half: int
    best: int  # points of the best other seat when half of the tiles lay
    left: int | None
    score: int
    same: bool

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> SeatSheet:
        return cls(**{**stored, "given": tuple(stored["given"])})


@dataclass(slots=True)
class _Reading:
    """State of a seat while moves are read."""

    given: list[int]
    early: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    left: int | None = None
    same: bool = True


def build_sheets(moves: Iterable[Mapping[str, Any]], seats: int) -> tuple[SeatSheet, ...]:
    """Build the sheets of the *seats* of a game from its *moves* in force, in order of seats.

    A move has ``seat``, ``ply``, ``action``, ``events``, ``how``, ``time_used`` and ``timing``, as in the
    rows.
    """
    played = list(moves)
    turns = sum(_is_turn(move) for move in played)
    scores, half_scores, laid = [0] * seats, [0] * seats, 0
    read = [_Reading([0] * seats) for _ in range(seats)]
    for move in played:
        seat, act = move["seat"], _act(move["action"])
        laid += _is_turn(move)
        before, got = list(scores), _points(move["events"], seats)
        scores = [had + more for had, more in zip(scores, got, strict=True)]
        if 2 * laid <= turns:
            half_scores = list(scores)
        if seat is None:
            continue
        if act in CHANGED_HANDS:
            read[seat].same = False
        if act in LEAVING:
            read[seat].left = before[seat] - _best_other(before, seat)
        if move["ply"] is None or move["how"] not in BY_PERSON:
            continue
        read[seat].given = [
            had + max(0, more - got[seat]) for had, more in zip(read[seat].given, got, strict=True)
        ]
        if _is_turn(move) and move["how"] in BY_HAND:
            times = read[seat].early if 2 * laid <= turns else read[seat].late
            times.append(max(LEAST_SECONDS, _seconds(move)))
    return tuple(
        SeatSheet(
            given=tuple(tally.given),
            early=median(tally.early) if tally.early else None,
            late=median(tally.late) if tally.late else None,
            half=half_scores[seat] - _best_other(half_scores, seat),
            best=_best_other(half_scores, seat),
            left=tally.left,
            score=scores[seat],
            same=tally.same,
        )
        for seat, tally in enumerate(read)
    )


def _is_turn(move: Mapping[str, Any]) -> bool:
    return move["ply"] is not None and move["action"]["type"] == "place"


def _act(action: Mapping[str, Any]) -> str:
    """The type of an act of the table or of a moderator."""
    return str(action.get("act", action["type"]) if action["type"] == "moderate" else action["type"])


def _points(events: Iterable[Mapping[str, Any]], seats: int) -> list[int]:
    got = [0] * seats
    for event in events:
        if event["type"] == "scored":
            got[event["seat"]] += event["points"]
    return got


def _best_other(scores: Sequence[int], seat: int) -> int:
    return max((score for other, score in enumerate(scores) if other != seat), default=0)


def _seconds(move: Mapping[str, Any]) -> float:
    """The time in which the seat had its turn with the clock running."""
    timing = move["timing"]
    if timing is not None and "running" in timing:
        return float(timing["running"])
    return max(0.0, float(move["time_used"].total_seconds())) if move["time_used"] is not None else 0.0
