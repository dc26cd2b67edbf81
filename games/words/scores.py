"""Sums of points, in words: the terms of a score and their sum."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import ngettext, pgettext

from core.numerals import MINUS, format_minus
from games.rules import Scored, Term

COUNTED = frozenset({"tiles", "shields", "cities", "roads"})
"""Terms that bring a fixed number of points each."""

TERMS: dict[str, Callable[[int], str]] = {
    "tiles": lambda n: ngettext("{n} tile", "{n} tiles", n),
    "shields": lambda n: ngettext("{n} shield", "{n} shields", n),
    "cities": lambda n: ngettext("{n} completed city", "{n} completed cities", n),
    "roads": lambda n: ngettext("{n} completed road", "{n} completed roads", n),
}
"""Numbers of what is counted, in words, by the name of the term."""

EARNED: dict[str, Callable[[int], str]] = {
    "city": lambda n: ngettext(
        "{player} scores {n} point for the city.", "{player} scores {n} points for the city.", n
    ),
    "road": lambda n: ngettext(
        "{player} scores {n} point for the road.", "{player} scores {n} points for the road.", n
    ),
    "field": lambda n: ngettext(
        "{player} scores {n} point for the field.", "{player} scores {n} points for the field.", n
    ),
    "monastery": lambda n: ngettext(
        "{player} scores {n} point for the monastery.", "{player} scores {n} points for the monastery.", n
    ),
    "garden": lambda n: ngettext(
        "{player} scores {n} point for the garden.", "{player} scores {n} points for the garden.", n
    ),
    "shrine": lambda n: ngettext(
        "{player} scores {n} point for the shrine.", "{player} scores {n} points for the shrine.", n
    ),
}
"""Sentences about points, by what is scored."""


def format_earned_points(on: str, player: str, points: int) -> str:
    """Say that *player* scores so much for something that everybody can see."""
    return EARNED[on](points).format(player=player, n=points)


def format_term(one: Term) -> str:
    """A summand of a score: "5 tiles: 10"."""
    return pgettext("a summand of a score: what counts, points", "{what}: {points}").format(
        what=_format_count(one), points=format_minus(one.points)
    )


def _format_count(one: Term) -> str:
    """Format the count of a summand: "5 tiles"."""
    return TERMS[one.name](one.count).format(n=one.count)


def format_sum(one: Scored) -> str:
    """Say how a scoring adds up: "6 tiles × 1 + 2 shields × 1 = 8"."""
    said = ""
    for part in one.terms:
        sign = MINUS if part.points < 0 else "+"
        said += f" {sign} {_summand(part)}" if said or part.points < 0 else _summand(part)
    return f"{said} = {format_minus(one.points)}" if said else format_minus(one.points)


def _summand(part: Term) -> str:
    """Format *part* without its sign, as a product if it is one."""
    worth = abs(part.points)
    if part.count and part.name in COUNTED and worth == part.count * (worth // part.count):
        return pgettext("a summand of a score: what counts, points for each", "{what} × {each}").format(
            what=_format_count(part), each=worth // part.count
        )
    return pgettext("a summand of a score: what counts, points", "{what}: {points}").format(
        what=_format_count(part), points=worth
    )


def format_points(count: int) -> str:
    return ngettext("{n} point", "{n} points", count).format(n=format_minus(count))
