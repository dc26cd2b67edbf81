"""Names of criteria, and explanations of places in a table (STAND-12)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from core.numerals import MINUS
from leagues.standings import DUPLICATE, Rules, Value

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NAMES: Mapping[str, StrOrPromise] = {
    "points": pgettext_lazy("what decides", "points"),
    "head_to_head": pgettext_lazy("what decides", "head to head"),
    "games_won": pgettext_lazy("what decides", "games won"),
    "firsts": pgettext_lazy("what decides", "first places"),
    "score_difference": pgettext_lazy("what decides", "difference of scores"),
    "duplicate": pgettext_lazy("what decides", "comparison with the same tiles"),
    "buchholz": pgettext_lazy("what decides", "opponents' points"),
    "buchholz_cut1": pgettext_lazy("what decides", "opponents' points without the lowest"),
    "sonneborn_berger": pgettext_lazy("what decides", "points of those who were beaten"),
    "rating": pgettext_lazy("what decides", "rating before the season"),
    "lot": pgettext_lazy("what decides", "the lot"),
}
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
    exact = Fraction(value)
    sign = MINUS if exact < 0 else ""
    whole, rest = divmod(abs(exact), 1)
    if not rest:
        return f"{sign}{whole}"
    if rest in EXACT:
        return f"{sign}{whole or ''}{EXACT[rest]}"
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"


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
    return str(MOVES[moves]) if moves else ""
