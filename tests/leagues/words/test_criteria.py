"""Tests of explanations of ranks (STAND-12)."""

from leagues.standings import TIE_BREAKS
from leagues.words import criteria


def explained(by: str | None, own: str = "3", other: str = "1") -> dict[str, object]:
    return {"ahead_of": 7, "by": by, "own": own, "other": other}


def test_every_criterion_has_a_name() -> None:
    assert set(criteria.NAMES) == {"points", "points_lost", *TIE_BREAKS}


def test_what_separates_is_told_with_both_values() -> None:
    assert criteria.explain_rank(explained("head_to_head"), "Anna") == "Ahead of Anna by head to head, 3 : 1."
    told = criteria.explain_rank(explained("score_difference", "1/2", "-4"), "Anna")
    assert told == f"Ahead of Anna by difference of scores, ½ : {criteria.MINUS}4."


def test_of_the_lot_the_numbers_are_nobody_s_business() -> None:
    assert criteria.explain_rank(explained("lot", "81", "94"), "Anna") == "Ahead of Anna by lot."


def test_who_is_level_shares_the_rank() -> None:
    told = "Tied with Anna on everything that counts: they share the rank."
    assert criteria.explain_rank(explained(None, "4", "4"), "Anna") == told


def test_the_last_is_ahead_of_nobody() -> None:
    assert criteria.explain_rank(None, "") == ""


def test_who_moves_down_may_stay_until_the_next_season_begins() -> None:
    assert criteria.format_move("down", final=False) == "set to move down"
    assert criteria.format_move("down", final=True) == "moves down"
    assert [criteria.format_move(moves, final=False) for moves in ("up", "")] == ["moves up", ""]
