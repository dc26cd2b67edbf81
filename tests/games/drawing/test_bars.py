"""Tests of bar charts: lengths and labels."""

import xml.etree.ElementTree as ET

from games.drawing.bars import LABELS, SUM, WIDTH, ChartBar, draw_bar_chart

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*bars: ChartBar) -> ET.Element:
    return ET.fromstring(draw_bar_chart(bars, id="here", title="By <sets>", description="Some & others"))


def rects(row: ET.Element) -> dict[str, float]:
    return {one.attrib["class"]: float(one.attrib["width"]) for one in row.iter(f"{SVG}rect")}


def test_the_longest_bar_is_as_wide_as_there_is_room_and_the_others_in_proportion() -> None:
    rows = drawn(ChartBar("a", (6, 2, 4)), ChartBar("b", (3, 0, 0))).findall(f"{SVG}g")
    room = WIDTH - LABELS - SUM
    assert rects(rows[0]) == {"part0": room / 2, "part1": round(room / 6, 1), "part2": room / 3}
    assert rects(rows[1]) == {"part0": room / 4}


def test_every_bar_names_what_it_is_about_its_parts_and_their_sum() -> None:
    (row,) = drawn(ChartBar("Base game", (6, 2, 4))).findall(f"{SVG}g")
    texts = {one.attrib["class"]: one.text for one in row.iter(f"{SVG}text")}
    assert texts == {"label": "Base game", "in0": "6", "in1": "2", "in2": "4", "sum": "12"}


def test_a_part_too_narrow_for_its_number_goes_without() -> None:
    (row,) = drawn(ChartBar("a", (99, 1, 0))).findall(f"{SVG}g")
    texts = [one.attrib["class"] for one in row.iter(f"{SVG}text")]
    assert texts == ["label", "in0", "sum"]


def test_a_long_label_is_cut_and_all_that_is_said_is_escaped() -> None:
    svg = drawn(ChartBar("King & Robber Baron and more", (1, 0, 0)))
    assert svg.find(f"{SVG}title").text == "By <sets>"
    assert svg.find(f"{SVG}desc").text == "Some & others"
    assert svg.find(f"{SVG}g/{SVG}text").text == "King & Robber B…"
    assert svg.attrib["aria-labelledby"] == "here-title here-text"


def test_nothing_is_no_fault() -> None:
    assert drawn().findall(f"{SVG}g") == []
    assert rects(drawn(ChartBar("a", (0, 0, 0))).find(f"{SVG}g")) == {}
