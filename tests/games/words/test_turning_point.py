"""Tests of the sentence about a turning point."""

from typing import Any

from games.rules import Scored, Term
from games.rules.turning_point import TurningPoint
from games.words.turning_point import MOST_LETTERS, format_turning_point
from tests.cases import for_each

NAMES = ("anna", "bruno", "clara")


def point(
    *seats: int, by: int = 0, on: str = "city", at_end: bool = False, complete: bool = True, turn: int = 44
) -> TurningPoint:
    """A scoring of 24 points for *seats*, made by the turn of the seat *by* at column 3, row -2."""
    terms = (Term("cities", 8, 24),) if on == "field" else (Term("tiles", 9, 24),)
    side = None if on == "monastery" else "ENE" if on == "field" else "N"
    scored = tuple(Scored(seat, on, 24, terms, 3, -2, side, complete and not at_end) for seat in seats)
    return TurningPoint(turn, by, 3, -2, scored, at_end)


def told(me: int | None, found: TurningPoint) -> str:
    return format_turning_point(found, NAMES, me).text.removeprefix("Turning point: turn 44. ")


def test_a_completed_feature_is_told_by_who_completed_it() -> None:
    assert told(0, point(0)) == "You completed the city at 3, −2: 9 tiles, 24 points."
    assert told(1, point(0)) == "anna completed the city at 3, −2: 9 tiles, 24 points."
    assert told(None, point(1, on="monastery", by=0)) == (
        "The tile at 3, −2 completed the monastery: 9 tiles, 24 points for bruno."
    )
    assert told(1, point(1, 2, by=0)) == (
        "The tile at 3, −2 completed the city: 9 tiles, 24 points each for you and clara."
    )


def test_a_final_scoring_is_told_by_the_figure() -> None:
    assert told(0, point(0, on="field", at_end=True)) == (
        "Your farmer at 3, −2 won the field: 8 completed cities, 24 points."
    )
    assert told(2, point(0, on="road", at_end=True)) == (
        "anna's highwayman at 3, −2 held an unfinished road: 9 tiles, 24 points."
    )
    assert told(None, point(0, 1, on="field", at_end=True)) == (
        "The farmer at 3, −2 shared the field: 24 points each for anna and bruno."
    )


def test_what_has_no_sentence_of_its_own_is_told_in_general() -> None:
    assert told(0, point(0, on="garden", complete=False)) == "Garden at 3, −2: 24 points for you."


def test_the_place_stands_apart_so_that_a_page_can_link_it() -> None:
    found = format_turning_point(point(0), NAMES, 0)
    assert (found.label, found.before, found.place) == (
        "Turning point: turn 44.",
        "You completed the city at ",
        "3, −2",
    )


LONGEST = [
    {"seats": seats, "on": on, "at_end": at_end, "me": me}
    for seats in ((0,), (1,), (0, 1), (0, 1, 2))
    for on in ("city", "road", "monastery", "field", "garden", "shrine")
    for at_end in (True, False)
    for me in (None, 0)
]


@for_each("case", LONGEST)
def test_it_has_at_most_ninety_letters_however_long_the_names_are(case: dict[str, Any]) -> None:
    names = ("m" * 30, "n" * 30, "o" * 30)
    if case["on"] == "field" and not case["at_end"]:
        return
    found = point(*case["seats"], on=case["on"], at_end=case["at_end"], turn=141)
    text = format_turning_point(found, names, case["me"]).text
    assert len(text.removeprefix("Turning point: ")) <= MOST_LETTERS, text


def test_the_points_stay_in_the_shortest() -> None:
    names = ("m" * 30, "n" * 30, "o" * 30)
    text = format_turning_point(point(0, 1, 2, turn=141), names, None).text
    assert text == "Turning point: turn 141. City at 3, −2: 24 points each."
