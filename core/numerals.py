"""Numbers as people read them: with a real minus sign."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"
"""A hyphen is shorter than a plus, and a line may break after it."""


def format_minus(number: object) -> str:
    """*number* as programs write it, its hyphen as a minus sign.

    >>> format_minus(-3), format_minus("0,-2")
    ('−3', '0,−2')
    """
    return str(number).replace("-", MINUS)


def format_signed(number: int) -> str:
    """*number* with its sign, unless it is zero.

    >>> format_signed(3), format_signed(0), format_signed(-3)
    ('+3', '0', '−3')
    """
    return format_minus(f"{number:+}" if number else number)
