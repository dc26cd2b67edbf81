"""Sums of points, in words: the terms of a score and their sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from core.numerals import MINUS, format_minus
from games.rules import Scored, Term
from games.words.grammar import format_ordinal

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


def format_standing(scores: Sequence[int], index: int) -> str:
    """Say how the seat *index* stands in a running game, by the *scores* of all seats."""
    own, best = scores[index], max(scores)
    if not best:
        return _("no points yet")
    rivals = [score for at, score in enumerate(scores) if at != index]
    ahead = own - max(rivals, default=0)
    if ahead > 0:
        return _("leads by {n}").format(n=ahead)
    if ahead == 0:
        return pgettext("standing in a game", "level")
    if len(scores) == 2:
        return _("behind by {n}").format(n=-ahead)
    place = 1 + sum(score > own for score in scores)
    if place == len(scores):
        return _("last of {n}").format(n=len(scores))
    return _("{place} of {n}").format(place=format_ordinal(place), n=len(scores))


def format_earned_points(on: str, player: str, points: int) -> str:
    """Say that *player* scores so much for something that everybody can see."""
    return EARNED[on](points).format(player=player, n=points)


def format_term(term: Term) -> str:
    """A summand of a score: "5 tiles: 10"."""
    return pgettext("a summand of a score: what counts, points", "{what}: {points}").format(
        what=format_count(term), points=format_minus(term.points)
    )


def format_count(term: Term) -> str:
    """Format the count of a summand: "5 tiles"."""
    return TERMS[term.name](term.count).format(n=term.count)


def format_sum(scored: Scored) -> str:
    """Say how a scoring adds up: "6 tiles × 1 + 2 shields × 1 = 8"."""
    said = ""
    for part in scored.terms:
        sign = MINUS if part.points < 0 else "+"
        said += f" {sign} {_summand(part)}" if said or part.points < 0 else _summand(part)
    return f"{said} = {format_minus(scored.points)}" if said else format_minus(scored.points)


def _summand(part: Term) -> str:
    """Format *part* without its sign, as a product if it is one."""
    worth = abs(part.points)
    if part.count and part.name in COUNTED and worth == part.count * (worth // part.count):
        return pgettext("a summand of a score: what counts, points for each", "{what} × {each}").format(
            what=format_count(part), each=worth // part.count
        )
    return pgettext("a summand of a score: what counts, points", "{what}: {points}").format(
        what=format_count(part), points=worth
    )


def format_points(count: int) -> str:
    return ngettext("{n} point", "{n} points", count).format(n=format_minus(count))
