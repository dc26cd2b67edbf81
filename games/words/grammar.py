"""Grammar of a sentence that was put together."""

from __future__ import annotations

import re

from django.utils.translation import get_language

_A_BEFORE_VOWEL = re.compile(r"(?<![\w.-])([Aa]) (?=[aeiou])")  # and no name that ends so, such as team-a


def capitalise(text: str) -> str:
    """*text* with its first letter as a capital, and the rest as it is."""
    return text[:1].upper() + text[1:]


def add_article(sentence: str) -> str:
    """English sentences say "a {figure}"; before a vowel, as of the abbot, it is "an"."""
    return _A_BEFORE_VOWEL.sub(r"\1n ", sentence) if get_language() == "en" else sentence
