"""What the docstrings show is so."""

import doctest

from accounts import email_normalization
from moderation.fair_play import chance


def test_examples_are_right() -> None:
    assert doctest.testmod(chance) == (0, 6)
    assert doctest.testmod(email_normalization) == (0, 2)
