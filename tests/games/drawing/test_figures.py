"""Tests that seats can be told apart by colour, also with common colour-vision deficiencies, and by
emblem."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import ImageColor

from games.drawing.figures import EMBLEMS, SYMBOLS, draw_figure, draw_figures, get_figure_symbol
from games.drawing.palette import SEATS

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB
DEFICIENCIES = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def seen(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """*colour* as CIELAB, as seen with the colour-vision deficiency of *matrix*."""
    linear = [(c / 255) ** 2.2 for c in ImageColor.getrgb(colour)[:3]]
    r, g, b = (min(max(sum(m * c for m, c in zip(row, linear, strict=True)), 0), 1) for row in matrix)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("name", DEFICIENCIES)
def test_seat_colours_differ_for_every_common_colour_vision(name: str) -> None:
    for one, other in combinations(SEATS, 2):
        a, b = seen(one.colour, DEFICIENCIES[name]), seen(other.colour, DEFICIENCIES[name])
        distance = sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5
        assert distance > 25, (one.name, other.name)


def test_every_seat_has_an_emblem_of_its_own() -> None:
    assert len({look.emblem for look in SEATS}) == len(SEATS) == 6
    assert {look.emblem for look in SEATS} == set(EMBLEMS)


def test_farmer_lies_but_its_emblem_stands() -> None:
    lying = draw_figure(SEATS[0], "l")
    assert lying.count("rotate(-90)") == lying.count("rotate") == 1
    assert "rotate" not in draw_figure(SEATS[0], "m")


def test_every_meeple_has_a_figure_of_its_own_in_each_colour() -> None:
    drawn = draw_figures()
    names = {get_figure_symbol(seat, meeple, "city") for seat in range(6) for meeple in SYMBOLS}
    assert len(names) == 6 * len(SYMBOLS)
    assert all(f'<g id="{name}">' in drawn for name in names)
    assert get_figure_symbol(2, "follower", "field") == "l2" != get_figure_symbol(2, "follower", "road")
    with pytest.raises(KeyError):
        get_figure_symbol(0, "dragon", "city")
