"""What the docstrings show is so."""

import doctest

from accounts import canonical
from games.fair_play import chance


def test_examples_are_right() -> None:
    assert doctest.testmod(chance) == (0, 6)
    assert doctest.testmod(canonical) == (0, 2)
