"""Tests of the sheet of a game's seats."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from moderation.fair_play.sheet import SeatSheet, build_sheets


def turn(seat: int, *scored: tuple[int, int], minutes: float = 10, **more: Any) -> dict[str, Any]:
    """A turn of *seat* that scored so many points for these seats."""
    return {
        "seat": seat,
        "ply": 1,
        "action": {"type": "place"},
        "events": [{"type": "scored", "seat": who, "points": points} for who, points in scored],
        "how": "web",
        "time_used": timedelta(minutes=minutes),
        "timing": None,
        **more,
    }


def act(seat: int, kind: str, **told: Any) -> dict[str, Any]:
    return turn(seat, ply=None, action={"type": kind, **told}, how="time-out")


def test_a_turn_gives_what_it_brings_others_beyond_its_own() -> None:
    moves = [turn(0, (1, 8), (2, 8)), turn(0, (0, 5), (1, 8)), turn(0, (0, 8), (1, 8)), turn(1, (1, 4))]
    first, second, _third = build_sheets(moves, 3)
    assert first.given == (0, 11, 8)
    assert second.given == (0, 0, 0)
    assert [sheet.score for sheet in build_sheets(moves, 3)] == [13, 28, 8]


def test_programs_and_the_final_scoring_give_nothing() -> None:
    final = {**turn(0, (1, 30)), "seat": None, "ply": None, "action": {"type": "final"}, "how": "task"}
    moves = [turn(0, (1, 8), how="bot"), turn(0, (1, 8), how="time-out"), final]
    sheet, other = build_sheets(moves, 2)
    assert sheet.given == (0, 0) and other.score == 46


def test_the_two_halves_of_a_game_have_their_own_times_and_plans_none() -> None:
    moves = [turn(0, minutes=10), turn(1), turn(0, minutes=20), turn(1), turn(0, minutes=60), turn(1)]
    moves += [turn(0, minutes=0, how="plan"), turn(1)]
    first, _second = build_sheets(moves, 2)
    assert (first.early, first.late) == (15 * 60, 60 * 60)


def test_the_clock_counts_and_seconds_do_not() -> None:
    moves = [turn(0, timing={"running": 7200.0}), turn(0, minutes=0.1)]
    (sheet,) = build_sheets(moves, 1)
    assert (sheet.early, sheet.late) == (7200, 60)


def test_half_time_and_leaving_have_their_own_lead() -> None:
    moves = [turn(0, (0, 10)), turn(1, (1, 4)), act(0, "resign"), turn(1, (1, 30)), turn(1)]
    first, second = build_sheets(moves, 2)
    assert (first.half, first.best, first.left) == (6, 4, 6)
    assert (second.half, second.best, second.left) == (-6, 10, None)


def test_a_seat_that_changed_hands_is_nobodys() -> None:
    for kind, told in (("take_over", {}), ("offered", {}), ("moderate", {"act": "replace"})):
        first, second = build_sheets([turn(0), act(0, kind, **told), turn(1)], 2)
        assert (first.same, second.same) == (False, True)


def test_comes_back_from_json_as_it_was() -> None:
    (sheet,) = build_sheets([turn(0)], 1)
    assert SeatSheet.from_json(sheet.to_json()) == sheet
