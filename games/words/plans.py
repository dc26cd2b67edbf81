"""Sentences for a player about the plans for a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import Place, State, get_tile, planning

from .features import label_figure
from .vocabulary import name_cell

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_WHY: dict[str, StrOrPromise] = {
    planning.TAKEN: gettext_lazy("There is now a tile there."),
    planning.UNFIT: gettext_lazy("The tile no longer fits there that way."),
    planning.FIGURE: gettext_lazy("The meeple can no longer go there."),
    planning.STANDING: gettext_lazy("The meeples on what the tile joins have changed."),
    planning.COMPLETION: gettext_lazy("What the tile completes has changed."),
    "suspended": gettext_lazy("Your account was suspended when your turn came."),
}


def format_plan(state: State, place: Place) -> str:
    """Describe a plan: the place of the tile, and the meeple: "column 3, row −1: No meeple"."""
    lying = get_tile(place.tile).at(place.rotation)
    return ": ".join((name_cell(place.x, place.y), label_figure(state, place.figure, lying)))


def explain_plan_trouble(code: str) -> str:
    """Say why a plan can't be played, or no longer means the same, by a code of ``games.rules.planning``."""
    return str(_WHY[code])


def explain_dropped_plan(state: State, place: Place, code: str) -> str:
    """Say that the plan *place* was not played, and why."""
    return _("Your plan was not played ({plan}). {why}").format(
        plan=format_plan(state, place), why=explain_plan_trouble(code)
    )


def explain_no_plan() -> str:
    """Say that there were plans for a turn, but none for what has come."""
    return _(
        "None of your plans was for this turn: you drew a different tile, or the others played "
        "something else."
    )


def format_plans_made(count: int) -> str:
    """Say how many plans there are for the next turn."""
    return ngettext("{n} plan for your next turn", "{n} plans for your next turn", count).format(n=count)
