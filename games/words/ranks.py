"""Ranks in a game, in words."""

from __future__ import annotations

from django.utils.translation import pgettext


def format_ordinal(n: int) -> str:
    """*n* as a rank: "1st", "2nd", "11th", "23rd"."""
    if n % 100 // 10 != 1:
        if n % 10 == 1:
            return pgettext("a rank", "{n}st").format(n=n)
        if n % 10 == 2:
            return pgettext("a rank", "{n}nd").format(n=n)
        if n % 10 == 3:
            return pgettext("a rank", "{n}rd").format(n=n)
    return pgettext("a rank", "{n}th").format(n=n)
