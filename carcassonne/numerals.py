"""Numbers as people read them: with a real minus sign."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"
"""A hyphen is shorter than a plus, and a line may break after it."""


def with_minus(number: object) -> str:
    """*number* as programs write it, its hyphen as a minus sign.

    >>> with_minus(-3), with_minus("0,-2")
    ('−3', '0,−2')
    """
    return str(number).replace("-", MINUS)


def signed(number: int) -> str:
    """*number* with its sign, unless it is zero.

    >>> signed(3), signed(0), signed(-3)
    ('+3', '0', '−3')
    """
    return with_minus(f"{number:+}" if number else number)
