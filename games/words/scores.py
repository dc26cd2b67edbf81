"""How points add up, in words: the terms of a score and their sum."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.rules import Scored, Term

COUNTED = frozenset({"tiles", "shields", "cities", "roads"})
"""Terms that bring so many points for each."""


def term(one: Term) -> str:
    """A summand of a score: "5 tiles: 10"."""
    return pgettext("a summand of a score: what counts, points", "{what}: {points}").format(
        what=_counted(one), points=one.points
    )


def _counted(one: Term) -> str:
    """What a summand counts: "5 tiles"."""
    names = {
        "tiles": ngettext("{n} tile", "{n} tiles", one.count),
        "shields": ngettext("{n} shield", "{n} shields", one.count),
        "cities": ngettext("{n} completed city", "{n} completed cities", one.count),
        "roads": ngettext("{n} completed road", "{n} completed roads", one.count),
        "inn": ngettext("{n} inn", "{n} inns", one.count),
        "cathedral": ngettext("{n} cathedral", "{n} cathedrals", one.count),
        "pig": _("own pig"),
        "pig_herd": _("pig herd"),
        "knights": ngettext("{n} knight", "{n} knights", one.count),
        "cards": ngettext("{n} card", "{n} cards", one.count),
        "wine": ngettext("{n} barrel of wine", "{n} barrels of wine", one.count),
        "grain": ngettext("{n} sack of grain", "{n} sacks of grain", one.count),
        "cloth": ngettext("{n} bale of cloth", "{n} bales of cloth", one.count),
    }
    return names[one.name].format(n=one.count)


def sum_of(one: Scored) -> str:
    """How a scoring adds up: "6 tiles × 1 + 2 shields × 1 = 8"."""
    said = ""
    for part in one.terms:
        sign = "−" if part.points < 0 else "+"
        said += f" {sign} {_summand(part)}" if said or part.points < 0 else _summand(part)
    return f"{said} = {one.points}" if said else str(one.points)


def _summand(part: Term) -> str:
    """*part* without its sign, as a product where it is one."""
    worth = abs(part.points)
    if part.count and part.name in COUNTED and worth == part.count * (worth // part.count):
        return pgettext("a summand of a score: what counts, points for each", "{what} × {each}").format(
            what=_counted(part), each=worth // part.count
        )
    return pgettext("a summand of a score: what counts, points", "{what}: {points}").format(
        what=_counted(part), points=worth
    )


def points(count: int) -> str:
    return ngettext("{n} point", "{n} points", count).format(n=count)
