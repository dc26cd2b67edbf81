"""Countries as players show them on their profile: the codes of ISO 3166, their names and flags."""

import unicodedata
from functools import cache
from importlib.resources import files

from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext as _

REGIONAL_INDICATOR_A = 0x1F1E6


@cache
def list_countries() -> frozenset[str]:
    """Return the codes of all countries, two capital letters each, from the pinned ``tzdata``."""
    lines = files("tzdata.zoneinfo").joinpath("iso3166.tab").read_text("utf-8").splitlines()
    return frozenset(line.split("\t")[0] for line in lines if not line.startswith("#"))


@cache
def _load_names(language: str) -> dict[str, str]:
    from babel import Locale  # here, as it costs a process 10 MB that most don't need

    territories = Locale.parse(to_locale(language)).territories
    return {code: territories[code] for code in list_countries()}


def name_country(code: str) -> str:
    """Return the name of a country in the reader's language; of one that a release has lost, its code."""
    return _load_names(get_language() or "en").get(code, code)


def list_choices() -> list[tuple[str, str]]:
    """Return the choices of a select box: none, then the countries by name in the reader's language."""
    names = _load_names(get_language() or "en")
    return [("", _("Don't show a country")), *sorted(names.items(), key=lambda item: _fold(item[1]))]


def _fold(name: str) -> str:
    """Fold *name* for sorting: letters with accents stand with those without.

    >>> sorted(["Zambia", "Łotwa", "Ísland", "Indland"], key=_fold)
    ['Indland', 'Ísland', 'Łotwa', 'Zambia']
    """
    plain = unicodedata.normalize("NFD", name.casefold().replace("ł", "l"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def build_flag(code: str) -> str:
    """Return the flag of a country as an emoji. Windows has none and shows the letters, so pages name the
    country, too.

    >>> build_flag("IS")
    '🇮🇸'
    """
    return "".join(chr(REGIONAL_INDICATOR_A + ord(letter) - ord("A")) for letter in code)
