"""What is wrong with the settings of a league that there can't be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

FAULTS: Mapping[str, StrOrPromise] = {
    "points": gettext_lazy("There can't be so many players at a table."),
    "best_of": gettext_lazy("Matches of several games are played in duels only."),
    "up": gettext_lazy("So many can't move up."),
    "schedule": gettext_lazy("The Swiss system is for duels."),
    "rounds": gettext_lazy("Choose from 1 to 60 rounds."),
    "division_size": gettext_lazy("A division has at least as many players as a table, and at most 60."),
    "down": gettext_lazy("No more can move up and down together than play in a division."),
    "clock": gettext_lazy("No league is played by this clock."),
    "length": gettext_lazy("A season lasts from 1 to 400 days."),
    "endless": gettext_lazy("By this clock no end of the game can be promised."),
    "rated_house_rules": gettext_lazy("By these rules no games are rated."),
}
"""By the names of ``LeagueSettings.faults``."""

FIELDS: Mapping[str, str] = {
    "points": "seats",
    "best_of": "best_of",
    "up": "up",
    "schedule": "schedule",
    "rounds": "rounds",
    "division_size": "division_size",
    "down": "down",
    "clock": "clock",
    "length": "length",
    "endless": "clock",
    "rated_house_rules": "rated",
}
"""At which field of the form a fault stands; what is not here stands above them."""


def fault(name: str) -> str:
    """In words what is wrong."""
    if name in FAULTS:
        return str(FAULTS[name])
    return _("There can't be such a league: {what}.").format(what=name)
