"""Names of players: which letters they may have, when two are the same, and when they only look so."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from confusable_homoglyphs import confusables
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

LATIN = "abcdefghijklmnopqrstuvwxyz" + "ąćęłńóśźż" + "áäčďéíĺľňóôŕšťúýž" + "ðþæö"  # pl, sk, is
CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
DIGITS = "0123456789"
ALPHABETS = (frozenset(LATIN + LATIN.upper()), frozenset(CYRILLIC + CYRILLIC.upper()))
LETTERS = frozenset().union(*ALPHABETS)
SHAPE = re.compile(r"\A[^._-](?:.*[^._-])?\Z", re.DOTALL)
APART = "IL"  # of these the capital does not look like the small letter, but like one of another


def normal(name: str) -> str:
    """*name* with each letter written in one way, however it was typed.

    >>> len("e\\u0301"), len(normal("e\\u0301"))
    (2, 1)
    """
    return unicodedata.normalize("NFC", name)


def validate(name: str) -> None:
    """Refuse what is no name here.

    :raises ValidationError: other letters than those of the site's languages, or letters of two alphabets
    """
    if not SHAPE.match(name) or not set(name) <= LETTERS | set(DIGITS + "._-"):
        raise ValidationError(_("Use letters, digits, and . _ - in between."), code="characters")
    if all(set(name) & alphabet for alphabet in ALPHABETS):
        raise ValidationError(_("Use letters of one alphabet, Latin or Cyrillic."), code="alphabets")


def key(name: str) -> str:
    """What two names share if they differ in capitals only, the same in every database.

    >>> key("ŁUKASZ") == key("łukasz")
    True
    """
    return normal(normal(name).casefold())


def looks(name: str) -> str:
    """What two names share if a reader may take one for the other.

    >>> looks("Роса") == looks("Poca"), looks("PauI") == looks("paul"), looks("Ian") == looks("Lan")
    (True, True, False)
    """
    shapes = _shapes()
    return "".join(shapes.get(letter, letter) for letter in normal(name))


@cache
def _shapes() -> dict[str, str]:
    """For every letter and digit the first of those that look like it."""
    shape = {letter: letter for letter in sorted(LETTERS | set(DIGITS))}
    for one, other in _alike():
        kept, gone = sorted((shape[one], shape[other]))
        shape = {letter: kept if found == gone else found for letter, found in shape.items()}
    return shape


def _alike() -> Iterator[tuple[str, str]]:
    """Pairs that look alike, by Unicode's list of confusables; and capitals with their small letters."""
    known = LETTERS | set(DIGITS)
    for letter in sorted(known):
        for group in confusables.is_confusable(letter, greedy=True) or []:
            yield from ((letter, other["c"]) for other in group["homoglyphs"] if other["c"] in known)
        if letter not in APART:
            yield letter, letter.lower()
