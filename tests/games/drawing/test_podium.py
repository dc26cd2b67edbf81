"""Tests of the podium of a game that is over."""

import re
from xml.etree import ElementTree as ET

from games.drawing.palette import SEATS
from games.drawing.podium import WIDTH, PodiumPlace, draw_podium


def drawn(*places: tuple[int, int | None]) -> str:
    svg = draw_podium([PodiumPlace(*place) for place in places], title="Anna & Bruno")
    ET.fromstring(svg)
    return svg


def list_figures(svg: str) -> list[tuple[float, float]]:
    """The middle of each figure, from left to right."""
    found = re.findall(r'<g transform="translate\(([\d.]+) ([\d.]+)\)scale', svg)
    return [(float(x), float(y)) for x, y in found]


def test_the_winner_stands_highest_and_in_the_middle() -> None:
    left, middle, right = list_figures(drawn((1, 1), (2, 2), (0, 3)))
    assert middle[0] == WIDTH / 2 and middle[1] < left[1] < right[1]
    assert left[0] < middle[0] < right[0]


def test_shared_places_have_the_same_height_and_number() -> None:
    svg = drawn((1, 1), (2, 1), (0, 3))
    assert re.findall(r"<text [^>]*>(\d)</text>", svg) == ["1", "1", "3"]
    (_x, one), (_x, other), (_x, third) = list_figures(svg)
    assert one == other < third


def test_every_winner_has_a_laurel_and_nobody_else() -> None:
    alone, shared, nobody = drawn((1, 1), (2, 2)), drawn((1, 1), (2, 1)), drawn((1, None), (2, None))
    assert alone.count("<ellipse") > 0
    assert shared.count("<ellipse") == 2 * alone.count("<ellipse")
    assert "<ellipse" not in nobody and "<text" not in nobody


def test_six_figures_in_their_colours_find_room() -> None:
    svg = drawn(*((look, look + 1) for look in range(6)))
    figures = list_figures(svg)
    assert len(figures) == 6 and all(0 < x < WIDTH for x, _y in figures)
    assert all(look.colour in svg for look in SEATS)
    assert 'aria-label="Anna &amp; Bruno"' in svg
