"""Numbers and base rates of signals of unfair play."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

THOUSAND, MILLION = 1_000, 1_000_000


def format_number(value: float, places: int = 0) -> str:
    """Format *value* with so many decimal places, and with its digits in groups."""
    return str(number_format(round(value, places), places, force_grouping=True))


def format_percentage(part: float, whole: float = 1) -> str:
    """Format *part* of *whole* as a percentage."""
    return _("{n}%").format(n=format_number(100 * (part / whole)))


def describe_base_rate_of_pairs(rate: float) -> str:
    """Say how often honest pairs look like that by chance, at a *rate* from 0 to 1."""
    if rate * MILLION < 0.5:
        return _("Of a million honest pairs not even one looks like this by chance.")
    if rate * THOUSAND < 0.5:
        n = round(rate * MILLION)
        return ngettext(
            "Of a million honest pairs about {n} looks like this by chance.",
            "Of a million honest pairs about {n} look like this by chance.",
            n,
        ).format(n=format_number(n))
    n = round(rate * THOUSAND)
    return ngettext(
        "Of 1,000 honest pairs about {n} looks like this by chance.",
        "Of 1,000 honest pairs about {n} look like this by chance.",
        n,
    ).format(n=format_number(n))


def describe_base_rate_of_people(rate: float) -> str:
    """Say how often honest people look like that by chance, at a *rate* from 0 to 1."""
    if rate * MILLION < 0.5:
        return _("Of a million honest people not even one looks like this by chance.")
    if rate * THOUSAND < 0.5:
        n = round(rate * MILLION)
        return ngettext(
            "Of a million honest people about {n} looks like this by chance.",
            "Of a million honest people about {n} look like this by chance.",
            n,
        ).format(n=format_number(n))
    n = round(rate * THOUSAND)
    return ngettext(
        "Of 1,000 honest people about {n} looks like this by chance.",
        "Of 1,000 honest people about {n} look like this by chance.",
        n,
    ).format(n=format_number(n))
