"""Formatting of numbers, with a real minus sign, and parsing of keys."""

from __future__ import annotations

from django.utils.translation import gettext as _

MINUS = "\N{MINUS SIGN}"
"""Minus sign. A hyphen is shorter than a plus, and a line may break after it."""


LONGEST_KEY = 18
"""Maximum number of digits of a key that every column of keys takes."""


def parse_key(text: str | None) -> int:
    """Return the primary key in *text*; 0, which no row has, for anything else.

    >>> parse_key("17"), parse_key("-1"), parse_key("9" * 19), parse_key(None)
    (17, 0, 0, 0)
    """
    return int(text) if text and text.isdecimal() and len(text) <= LONGEST_KEY else 0


def format_minus(number: object) -> str:
    """*number* as text, with a minus sign for each hyphen.

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


def format_hundredths(share: float) -> str:
    """*share* in hundredths, to a tenth of one.

    >>> format_hundredths(0.4826)
    '48.3'
    """
    return f"{100 * share:.1f}"


def format_percent(share: float) -> str:
    """Format *share* as a percentage, in the way of the reader's language."""
    return _("{n}%").format(n=format_hundredths(share))
