"""A line of a message, with properties known from its format."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MailLine:
    """A line of text, stripped, with single spaces."""

    text: str
    quoted: bool = False  # within an element of HTML that quotes, or in format=flowed of some depth
    rest: bool = False  # a quote begins that goes to the end of the message
    signature: bool = False  # within an element of HTML that is a signature
    whole: bool = False  # can't be the end of a line that a program broke in two


_NOTHING = "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff" + "".join(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x2070)))
)
_SPACES = "".join(
    letter for letter in map(chr, range(0x3001)) if unicodedata.category(letter) in ("Zs", "Zl", "Zp")
)
_TABLE = str.maketrans({**dict.fromkeys(_NOTHING, ""), **dict.fromkeys(_SPACES + "\x0b\x0c\x85", " ")})


def clean_line(text: str) -> str:
    """Remove invisible characters, and replace all spaces by plain single ones (REPLY-6).

    >>> clean_line("\\ufeff 4,1\\u00a0 r270 ")
    '4,1 r270'
    """
    return " ".join(text.translate(_TABLE).split())
