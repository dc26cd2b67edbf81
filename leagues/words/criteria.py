"""What decides between players of a division, and why somebody stands where they do (STAND-12)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from carcassonne.numerals import MINUS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NAMES: Mapping[str, StrOrPromise] = {
    "points": pgettext_lazy("what decides", "points"),
    "head_to_head": pgettext_lazy("what decides", "head to head"),
    "games_won": pgettext_lazy("what decides", "games won"),
    "firsts": pgettext_lazy("what decides", "first places"),
    "score_difference": pgettext_lazy("what decides", "difference of scores"),
    "buchholz": pgettext_lazy("what decides", "opponents' points"),
    "buchholz_cut1": pgettext_lazy("what decides", "opponents' points without the lowest"),
    "sonneborn_berger": pgettext_lazy("what decides", "points of those who were beaten"),
    "rating": pgettext_lazy("what decides", "rating before the season"),
    "lot": pgettext_lazy("what decides", "the lot"),
}
"""By the names of ``leagues.standings.TIE_BREAKS``, and "points"."""

EXACT: Mapping[Fraction, str] = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


def number(value: Fraction | str) -> str:
    """An exact number as people write it.

    >>> number("7/2"), number("-5"), number("1/2"), number("11/5")
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


def why(explained: Mapping[str, Any] | None, other: str, names: Mapping[str, StrOrPromise] = NAMES) -> str:
    """What separates a player from the next in the table, who is called *other*; empty for the last one.

    *explained* is what ``Entry.explained`` keeps, *names* what criteria are called.
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
        own=number(explained["own"]),
        other=number(explained["other"]),
    )


MOVES: Mapping[str, StrOrPromise] = {
    "up": gettext_lazy("moves up"),
    "down": gettext_lazy("moves down"),
}
"""By ``Entry.moves``."""
