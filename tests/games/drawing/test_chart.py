"""Tests of the chart of scores: correct, readable, safe."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from games.drawing.chart import (
    DASHES,
    HEIGHT,
    LABEL,
    LOW,
    MARKS,
    WIDTH,
    ChartMark,
    ScoreSeries,
    draw_score_chart,
    spread,
    ticks,
)
from games.drawing.palette import SEATS

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*series: ScoreSeries, plies: int = 71, end: int = 0) -> ET.Element:
    return ET.fromstring(
        draw_score_chart(series, plies, title="Scores", description="A: 3", axis="Turn", end=end)
    )


def texts(svg: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("most", "count", "expected"),
    [
        (0, 5, (0,)),
        (1, 5, (0, 1)),
        (23, 5, (0, 5, 10, 15, 20)),
        (205, 5, (0, 50, 100, 150, 200)),
        (100, 5, (0, 20, 40, 60, 80, 100)),
    ],
)
def test_ticks_are_round(most: int, count: int, expected: tuple[int, ...]) -> None:
    assert ticks(most, count) == expected


@pytest.mark.parametrize("wanted", [[50.0] * 6, [0, 1, 2, 300, 301], [10.0, 200.0], [236.0, 236.0], []])
def test_labels_never_overlap_and_stay_inside(wanted: list[float]) -> None:
    places = spread(wanted, LABEL, 14, 206)
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    for one, other in pairwise(order):
        assert places[other] - places[one] >= LABEL - 1e-9
    assert all(14 - 1e-9 <= place <= 206 + 1e-9 for place in places)


def test_a_label_that_has_room_stays_where_it_belongs() -> None:
    assert spread([20, 100, 180], LABEL, 14, 206) == [20, 100, 180]


def test_six_seats_differ_by_more_than_colour() -> None:
    assert len(set(DASHES)) == len(set(MARKS)) == len(SEATS) == len(DASHES) == len(MARKS)
    svg = drawn(*(ScoreSeries(f"P{seat}", seat, ((5 + seat, 10, "said"),)) for seat in range(6)))
    lines = [path for path in svg.iter(f"{SVG}path") if path.get("class") == "line"]
    assert len({line.get("stroke-dasharray") for line in lines}) == 6


def test_every_point_says_what_it_is() -> None:
    svg = drawn(ScoreSeries("Anna", 0, ((3, 4, "Turn 3, Anna: 4 (+4)"), (9, 12, "Turn 9, Anna: 12 (+8)"))))
    titles = [title.text for title in svg.iter(f"{SVG}title")]
    assert "Turn 3, Anna: 4 (+4)" in titles and "Turn 9, Anna: 12 (+8)" in titles
    assert svg.get("role") == "img" and svg.get("aria-labelledby") == "chart-title chart-text"
    assert [text for text in texts(svg) if "Anna" in text] == ["Anna12 Anna"], "its title, and its label"


def test_the_final_scoring_stands_beyond_the_last_turn() -> None:
    def marks(end: int) -> list[float]:
        svg = drawn(ScoreSeries("Anna", 0, ((71, 4, ""), (end or 71, 9, ""))), end=end)
        at = [
            path.get("transform", "")
            for path in svg.iter(f"{SVG}path")
            if "scale" in path.get("transform", "")
        ]
        return [float(place.split("(")[1].split()[0]) for place in at]

    before, after = marks(76)
    assert before < after < WIDTH
    assert marks(0)[0] == marks(0)[1] == after


def test_everything_lies_within_the_picture() -> None:
    svg = drawn(
        *(ScoreSeries("A very long name indeed", seat, ((1, 500 + seat, ""),)) for seat in range(6)), plies=1
    )
    assert svg.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    for text in svg.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x", "0")) <= WIDTH and 0 <= float(text.get("y", "0")) <= HEIGHT


def test_a_game_without_points_is_drawn_too() -> None:
    assert drawn(ScoreSeries("Anna", 0, ()), plies=0) is not None


def test_what_people_write_stays_text() -> None:
    evil = '<script>alert("x")</script>'
    svg = draw_score_chart(
        [ScoreSeries(evil, 0, ((1, 2, evil),))], 3, title=evil, description=evil, axis=evil
    )
    assert "<script" not in svg
    ET.fromstring(svg)


def test_the_final_scoring_has_a_ground_of_its_own_and_a_turn_may_be_pointed_at() -> None:
    series = [ScoreSeries("Anna", 0, ((3, 4, ""), (11, 9, "")))]
    svg = ET.fromstring(
        draw_score_chart(
            series, 10, title="", description="", axis="Turn", end=11, mark=ChartMark(3, "turn 3"), height=LOW
        )
    )
    assert svg.get("viewBox") == f"0 0 {WIDTH} {LOW}"
    (ground,) = [one for one in svg.iter(f"{SVG}rect") if one.get("class") == "final"]
    (needle,) = [one for one in svg.iter(f"{SVG}g") if one.get("class") == "turning"]
    circle = needle.find(f"{SVG}circle")
    assert circle is not None and float(circle.get("cx", "")) < float(ground.get("x", ""))
    assert [text.text for text in needle.iter(f"{SVG}text")] == ["turn 3"]


def test_a_running_game_has_no_ground_of_a_final_scoring() -> None:
    assert not [one for one in drawn(ScoreSeries("Anna", 0, ((1, 2, ""),))).iter(f"{SVG}rect")]
