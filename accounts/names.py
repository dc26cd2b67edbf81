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
SEPARATORS = "._-"
STAFF = (
    "abuse admin administrator arbiter help helpdesk mod moderator official operator organiser organizer"
    " owner postmaster referee root security staff superuser support sysadmin sysop system team webmaster"
    " administratorka moderatorka obsługa pomoc wsparcie"
    " moderátor podpora správca správkyňa"
    " aðstoð kerfi kerfisstjóri stjórnandi umsjón umsjónarmaður"
    " админ администратор модератор поддержка помощь система"
)
"""What those who run a site are called, in its languages."""
OURS = "anonymous bot carcassonne everybody house housebot nobody noreply"
"""Other names that only the site itself may have."""
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


def bare(name: str) -> str:
    """What is left of *name* for a hasty reader: its looks without separators, and without digits around it.

    >>> bare("Admin1") == bare("a.d_m1n") == bare("admin"), bare("42")
    (True, '')
    """
    letters = "".join(letter for letter in name if letter not in SEPARATORS).strip(DIGITS)
    shape = _shapes()
    strokes = {shape[letter] for letter in "iIlL1"}
    return "".join("l" if letter in strokes else letter for letter in looks(letters.lower()))


def passes_for_staff(name: str) -> bool:
    """Whether a reader may think that *name* speaks for the site.

    >>> [passes_for_staff(name) for name in ("house_bot", "HouseB0t", "Admin1", "the-moderator", "Modesta")]
    [True, True, True, True, False]
    """
    parts = {bare(part) for part in re.split(r"[._-]", name)}
    return bare(name) in _ours() | _staff() or bool(parts & _staff())


@cache
def _staff() -> frozenset[str]:
    return frozenset(map(bare, STAFF.split()))


@cache
def _ours() -> frozenset[str]:
    return frozenset(map(bare, OURS.split()))


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
