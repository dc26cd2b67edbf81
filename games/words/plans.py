"""What a player is told of the plans for a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import Place, planning, tile

from .features import figure_label
from .vocabulary import cell

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


def plan_sentence(place: Place) -> str:
    """Where the tile of a plan would lie, and what is done with a meeple: "column 3, row −1: No meeple"."""
    lying = tile(place.tile).at(place.rotation)
    return ": ".join((cell(place.x, place.y), figure_label(place.figure, lying)))


def plan_trouble(code: str) -> str:
    """Why a plan can't be played, or no longer means the same, by a code of ``games.rules.planning``."""
    return str(_WHY[code])


def plan_dropped(place: Place, code: str) -> str:
    """That the plan *place* was not played, and why."""
    return _("Your plan was not played ({plan}). {why}").format(
        plan=plan_sentence(place), why=plan_trouble(code)
    )


def no_plan_for_this() -> str:
    """That there were plans for a turn, but none for what has come."""
    return _(
        "None of your plans was for this turn: you drew a different tile, or the others played "
        "something else."
    )


def plans_made(count: int) -> str:
    """How many plans there are for the next turn."""
    return ngettext("{n} plan for your next turn", "{n} plans for your next turn", count).format(n=count)
