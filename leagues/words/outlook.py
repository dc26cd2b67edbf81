"""Texts about outlooks: the first place, moving up, staying."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.standings import Chance

Kept = Mapping[str, Mapping[str, Any]]
"""Value of ``Entry.outlook``: by goal, the chance, the number of wins needed and of those possible."""


def summarise_outlook(kept: Kept) -> str:
    """Summarise the most telling outlook, for a row of a table.

    >>> summarise_outlook({"up": {"chance": "needs", "needs": 3, "left": 4}})
    'moves up with 3 of 4 wins'
    """
    goals = {goal: one["chance"] for goal, one in kept.items()}
    for goal, chance in goals.items():
        if chance == Chance.SAFE:
            return {
                "up": _("moves up for certain"),
                "first": _("first for certain"),
                "stay": _("stays for certain"),
            }[goal]
        if chance == Chance.NEEDS:
            left = kept[goal]["left"]
            told = {
                "up": ngettext("moves up with one more win", "moves up with {needs} of {left} wins", left),
                "first": ngettext("first with one more win", "first with {needs} of {left} wins", left),
                "stay": ngettext("stays with one more win", "stays with {needs} of {left} wins", left),
            }[goal]
            return told.format(needs=kept[goal]["needs"], left=left)
    if goals.get("stay") == Chance.OUT:
        return _("moves down for certain")
    if all(chance == Chance.OUT for chance in goals.values()):
        return _("can't finish first any more") if "first" in goals else _("can't move up any more")
    return _("open")


def describe_outlook(kept: Kept, up: int) -> list[str]:
    """Describe the outlook in full, a sentence for each goal; *up* players move up.

    >>> describe_outlook({"first": {"chance": "safe", "needs": 0, "left": 1}}, up=2)
    ['First place: certain, whatever else happens.']
    """
    return [
        _("{goal}: {chance}.").format(goal=_goal(goal, up), chance=_chance(one)) for goal, one in kept.items()
    ]


def _goal(goal: str, up: int) -> str:
    if goal == "up":
        return ngettext("The first place, which moves up", "The first {n} places, which move up", up).format(
            n=up
        )
    return _("First place") if goal == "first" else _("Staying in this division")


def _chance(one: Mapping[str, Any]) -> str:
    chance = one["chance"]
    if chance == Chance.SAFE:
        return _("certain, whatever else happens")
    if chance == Chance.OUT:
        return _("not possible any more")
    if chance == Chance.OPEN:
        return _("possible, but wins alone may not be enough")
    return ngettext(
        "certain with the one win that is still possible",
        "certain with any {needs} of the {left} wins that are still possible; fewer may do",
        one["left"],
    ).format(needs=one["needs"], left=one["left"])
