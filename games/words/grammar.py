"""Grammar of sentences that are put together: capitals, articles, ordinal numbers."""

from __future__ import annotations

import re

from django.utils.translation import get_language, pgettext

_A_BEFORE_VOWEL = re.compile(r"(?<![\w.-])([Aa]) (?=[aeiou])")  # and no name that ends so, such as team-a


def capitalise(text: str) -> str:
    """*text* with its first letter as a capital, and the rest as it is."""
    return text[:1].upper() + text[1:]


def add_article(sentence: str) -> str:
    """Correct English "a {figure}" to "an" before a vowel."""
    return _A_BEFORE_VOWEL.sub(r"\1n ", sentence) if get_language() == "en" else sentence


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
