"""Names of criteria, and explanations of places in a table (STAND-12)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from core.numerals import MINUS
from leagues.setting_words import CRITERIA
from leagues.standings import DUPLICATE, Rules, Value

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NAMES: Mapping[str, StrOrPromise] = {"points": pgettext_lazy("what decides", "points"), **CRITERIA}
"""Names of the criteria in ``leagues.standings.TIE_BREAKS``, and of points."""

EXACT: Mapping[Fraction, str] = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


def format_number(value: Fraction | str) -> str:
    """Format an exact number.

    >>> format_number("7/2"), format_number("-5"), format_number("1/2"), format_number("11/5")
    ('3½', '−5', '½', '2 1/5')
    """
    if isinstance(value, str) and value.isdecimal():
        return value  # as most are
    exact = Fraction(value)
    sign = MINUS if exact < 0 else ""
    whole, rest = divmod(abs(exact), 1)
    if not rest:
        return f"{sign}{whole}"
    if rest in EXACT:
        return f"{sign}{whole or ''}{EXACT[rest]}"
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"


def format_tenths(value: Fraction) -> str:
    """Format a mean with one decimal in the reader's language; whole numbers have none."""
    exact = Decimal(value.numerator) / value.denominator
    rounded = abs(exact).quantize(Decimal("0.1"))
    shown = number_format(rounded, 0 if rounded == rounded.to_integral() else 1)
    return MINUS + shown if value < 0 and rounded else shown


def format_signed_tenths(value: Fraction) -> str:
    """Format a mean as :func:`format_tenths`, with its sign."""
    shown = format_tenths(value)
    return f"+{shown}" if value > 0 and shown != "0" else shown


def format_result(points: str, values: Mapping[str, Value], rules: Rules) -> str:
    """Format the number that orders a table first: points, or the comparison where it decides alone."""
    if rules.counts_points:
        return format_number(points)
    return format_number(values.get(DUPLICATE, "0"))


def name_result(rules: Rules) -> str:
    """Name the column of :func:`format_result`."""
    return _("Points") if rules.counts_points else _("Comparison")


def explain_rank(
    explained: Mapping[str, Any] | None, other: str, names: Mapping[str, StrOrPromise] = NAMES
) -> str:
    """Explain what separates a player from the next in the table, called *other*; empty for the last one.

    *explained* is the value of ``Entry.explained``, *names* are those of criteria.
    """
    if explained is None:
        return ""
    criterion = explained["by"]
    if criterion is None:
        return _("Tied with {name} on everything that counts: they share the rank.").format(name=other)
    if criterion == "lot":
        return _("Ahead of {name} by lot.").format(name=other)
    return _("Ahead of {name} by {criterion}, {own} : {other}.").format(
        name=other,
        criterion=names[criterion],
        own=format_number(explained["own"]),
        other=format_number(explained["other"]),
    )


MOVES: Mapping[str, StrOrPromise] = {
    "up": gettext_lazy("moves up"),
    "down": gettext_lazy("moves down"),
}
"""Texts by ``Entry.moves``."""


def format_move(moves: str, *, final: bool) -> str:
    """Describe a move, from ``Entry.moves``. Until it is *final* a place above may become vacant
    (STAND-13)."""
    if moves == "down" and not final:
        return _("set to move down")
    return str(MOVES.get(moves, ""))
