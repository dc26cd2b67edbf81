"""Names: allowed characters, equality, and resemblance.

:mod:`accounts.texts` validates names as a whole; this module knows letters.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from confusable_homoglyphs.confusables import confusables_data
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

FURTHER_LATIN = frozenset("æœøłđðþßıħŋĸ" + "ÆŒØŁĐÐÞẞĦŊ")
"""Latin letters that are not a letter from a to z with a mark."""

PLAYERS_SIGNS = " .-_'"
"""Characters allowed within a player's name besides letters and digits."""

APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ´`", "'"))
FORMULA = "=+-@"
"""First characters of cells that spreadsheets run as formulas."""

ENOUGH_LOOKS = 200  # characters of a folded form that are kept
FOREIGN_DOTS = "\u2024\u3002\ufe52\uff0e\uff61" + "\u06d4\u0701\u0702\ua4f8\ua60e\U00010a50\U0001d16d"
"""Signs that browsers read as the dot of an address, and full stops that readers take for one."""

DOT = re.compile(rf"[.{FOREIGN_DOTS}](?=\w)")
"""Dot, or a sign that passes for one, that can make a link of the words around it."""

DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
LINK_AFTER_LETTER = ("com", "net", "org", "info", "app", "dev", "xyz", "link", "site", "online", "shop")
"""Endings of addresses longer than two letters: "x.com" is an address, "J.Kowalska" is not."""

STAFF = (
    "abuse admin administrator arbiter help helpdesk mod moderator official operator organiser organizer"
    " owner postmaster referee root security staff superuser support sysadmin sysop system team webmaster"
    " administratorka moderatorka obsługa pomoc wsparcie"
    " moderátor podpora správca správkyňa"
    " aðstoð kerfi kerfisstjóri stjórnandi umsjón umsjónarmaður"
    " админ администратор модератор поддержка помощь система"
)
"""Words for those who run a site, in its languages."""

AUTHORITY = (
    "admin administrator administratorka moderator moderatorka moderátor správca správkyňa kerfisstjóri"
    " stjórnandi sysadmin sysop superuser webmaster postmaster housebot админ администратор модератор"
)
"""Words that no table, team or league may have as a part of its name; "Team Poland" is fine."""

FREE = "carcassonne everybody nobody team owner help"
"""Words of ``OURS`` and ``STAFF`` that are allowed as names of tables, teams and leagues."""

OURS = "anonymous bot carcassonne everybody house housebot nobody noreply"
"""Other names that only the site itself may have."""

ALPHABETS: Mapping[str, str | Promise] = {
    "LATIN": pgettext_lazy("alphabet", "Latin"),
    "CYRILLIC": pgettext_lazy("alphabet", "Cyrillic"),
    "GREEK": pgettext_lazy("alphabet", "Greek"),
}


def normalize_name(name: str) -> str:
    """*name* in NFC, with each letter written in one way.

    >>> len("e\\u0301"), len(normalize_name("e\\u0301"))
    (2, 1)
    """
    return unicodedata.normalize("NFC", name)


def validate(name: str) -> None:
    """Refuse what can't be a player's name; reserved names pass here, as administrators may give them.

    :raises ValidationError: naming the first character that does not fit
    """
    if name != normalize_name(name):
        raise ValidationError(_("Write each letter as one character."), code="characters")
    check_dots(name)
    check_letters(name, PLAYERS_SIGNS)
    if not (name[:1].isalnum() and (name[-1:].isalnum() or name[-1:] == ".")):
        raise ValidationError(_("Start and end with a letter or a digit."), code="edges")


def check_letters(name: str, signs: str | None = None) -> None:
    """Refuse letters of two alphabets, and characters that can't stand in a name.

    Beside letters and digits *signs* are allowed; without *signs*, any punctuation and pictures.

    :raises ValidationError: naming the first character that does not fit
    """
    first = ""
    for character in name:
        if character in signs if signs is not None else _is_sign(character):
            continue
        if character.isascii() and character.isdigit():
            continue
        alphabet_name = alphabet(character)
        if not alphabet_name:
            sentence = _("A name can't contain {character}.").format(character=describe_character(character))
            raise ValidationError(sentence, code="characters")
        first = first or alphabet_name
        if alphabet_name != first:
            sentence = _(
                "{character} is a {alphabet} letter, and others are {first}. Use one alphabet."
            ).format(
                character=describe_character(character),
                alphabet=ALPHABETS[alphabet_name],
                first=ALPHABETS[first],
            )
            raise ValidationError(sentence, code="alphabets")


def check_dots(name: str) -> None:
    """Refuse dots that make a link of a name. A dot may stand before a space, at the end, after an initial,
    or within a number.

    >>> for name in ("St. Malo", "J.R. Ewing", "Jr.", "J.Kowalska", "Cup 2.0"): check_dots(name)

    :raises ValidationError: there is such a dot, or ``://``
    """
    for match in DOT.finditer(DECIMAL.sub("", name)):
        name = match.string
        before, after = name[: match.start()], re.split(r"[\W\d_]", name[match.end() :], maxsplit=1)[0]
        initial = re.search(r"(?:^|\W)[^\W\d_]\Z", before[-2:]) is not None
        if not initial or len(after) == 2 or after.lower() in LINK_AFTER_LETTER:
            break
    else:
        if "://" not in name:
            return
    raise ValidationError(
        _("This looks like a link. Use a dot only before a space, at the end, or after an initial."),
        code="link",
    )


def describe_character(character: str) -> str:
    """*character* with its Unicode name, for readers who can't see or recognise it.

    >>> describe_character("$"), describe_character("\\u200b")
    ('“$” (dollar sign)', 'U+200B (zero width space)')
    """
    called = unicodedata.name(character, "").lower()
    seen = f"“{character}”" if character.isprintable() else f"U+{ord(character):04X}"
    return f"{seen} ({called})" if called else seen


def alphabet(character: str) -> str:
    """Return the key in :data:`ALPHABETS` of the letter *character*; empty for anything else.

    >>> alphabet("ż"), alphabet("щ"), alphabet("λ"), alphabet("Ａ"), alphabet("山")
    ('LATIN', 'CYRILLIC', 'GREEK', '', '')
    """
    if not character.isalpha() or unicodedata.normalize("NFKC", character) != character:
        return ""
    script = unicodedata.name(character, "").split(" ")[0]
    base = unicodedata.normalize("NFD", character)[0]
    if script == "LATIN":
        return script if base.isascii() or character in FURTHER_LATIN else ""
    first, last = {"CYRILLIC": ("\u0400", "\u04ff"), "GREEK": ("\u0386", "\u03ce")}.get(
        script, ("\uffff", "")
    )
    return script if first <= base <= last else ""


def _is_sign(character: str) -> bool:
    """Return whether *character* is a space, punctuation or a picture, and no letter or dot in disguise."""
    if character == " " or (character.isascii() and character.isprintable() and not character.isalnum()):
        return True
    if character in "№™²³½¼¾°":
        return True
    kind, plain = unicodedata.category(character), unicodedata.normalize("NFKC", character)
    disguised = (
        any(character.isalnum() or character == "." for character in plain) or character in FOREIGN_DOTS
    )
    return kind[0] in "PS" and not disguised and "LATIN" not in unicodedata.name(character, "")


def build_key(name: str) -> str:
    """Return a key that is equal for names that differ in case only, the same in every database.

    >>> build_key("ŁUKASZ") == build_key("łukasz")
    True
    """
    return normalize_name(normalize_name(name).casefold())[:ENOUGH_LOOKS]


def build_lookalike_key(name: str) -> str:
    """Return a key that is equal for names that readers may confuse; spaces and signs are ignored.

    >>> pairs = [("Роса", "Poca"), ("PauI", "paul"), ("Ian", "Lan"), ("Anna K.", "anna-k")]
    >>> [build_lookalike_key(one) == build_lookalike_key(other) for one, other in pairs]
    [True, True, False, True]
    """
    shapes = _shapes()
    seen = "".join(
        shapes.get(character, character)
        for character in unicodedata.normalize("NFD", name)
        if character.isalnum() or unicodedata.combining(character)
    )
    for pair, letter in (("rn", "m"), ("vv", "w")):
        seen = seen.replace("".join(shapes[letter] for letter in pair), shapes[letter])
    seen = normalize_name(seen)
    return (seen or build_key(name).replace(" ", ""))[:ENOUGH_LOOKS]


def strip_name(name: str) -> str:
    """Return the lookalike key of *name* without separators and without digits around it.

    >>> strip_name("Admin1") == strip_name("a.d_m1n") == strip_name("admin"), strip_name("42")
    (True, '')
    """
    letters = "".join(letter for letter in name if letter.isalnum()).strip("0123456789")
    return build_lookalike_key(letters.lower()).translate(_strokes()) if letters else ""


def passes_for_staff(name: str) -> bool:
    """Return whether a reader may think that a player called *name* speaks for the site.

    >>> [passes_for_staff(name) for name in ("house_bot", "HouseB0t", "Admin1", "the-moderator", "Modesta")]
    [True, True, True, True, False]
    """
    return strip_name(name) in _bare_words(OURS) | _bare_words(STAFF) or bool(
        _parts(name) & _bare_words(STAFF)
    )


def claims_authority(name: str) -> bool:
    """Return whether a reader may think that a table, a team or a league called *name* speaks for the site.

    >>> [claims_authority(name) for name in ("Team Poland", "Admin Cup", "House Bot", "Support")]
    [False, True, True, True]
    """
    whole = (_bare_words(OURS) | _bare_words(STAFF)) - _bare_words(FREE)
    return strip_name(name) in whole or bool(_parts(name) & _bare_words(AUTHORITY))


def _parts(name: str) -> set[str]:
    return {strip_name(part) for part in re.split(r"[\W_]", name)}


@cache
def _bare_words(words: str) -> frozenset[str]:
    return frozenset(map(strip_name, words.split()))


@cache
def _strokes() -> dict[int, str]:
    return dict.fromkeys(map(ord, {_shapes().get(letter, letter) for letter in "iIlL1"}), "l")


@cache
def _shapes() -> dict[str, str]:
    """For every letter and digit, the first of those that look like it in Unicode's list of confusables.

    A capital looks like its small letter, too, unless that would equate two letters from a to z: "I" looks
    like "l", and a Greek capital Nu like "N" while its small letter looks like "v".
    """
    group: dict[str, set[str]] = {}
    for one, others in confusables_data.items():
        for other in (match["c"] for match in others):
            if len(one) == len(other) == 1 and one.isalnum() and other.isalnum():
                _join(group, one, other)
    for capital in (chr(code) for code in range(0x250) if chr(code).isupper()):
        _join_case(group, capital)
    for capital in (chr(code) for code in range(0x386, 0x530) if chr(code).isupper()):
        _join_case(group, capital)
    return {one: min(members) for one, members in group.items()}


def _join(group: dict[str, set[str]], one: str, other: str) -> None:
    joined = group.get(one, {one}) | group.get(other, {other})
    for member in joined:
        group[member] = joined


def _join_case(group: dict[str, set[str]], capital: str) -> None:
    small = capital.lower()
    if len(small) != 1:
        return
    joined = group.get(capital, {capital}) | group.get(small, {small})
    if len({character.lower() for character in joined if character.isascii() and character.isalpha()}) <= 1:
        _join(group, capital, small)
