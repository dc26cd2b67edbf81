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
    "best_of": gettext_lazy("Only two-player matches can have several games."),
    "up": gettext_lazy("So many can't move up."),
    "schedule": gettext_lazy("At larger tables everyone plays everyone; everything else is for two players."),
    "rounds": gettext_lazy("Choose from 1 to 60 rounds."),
    "division_size": gettext_lazy("A division has at least as many players as a table, and at most 60."),
    "down": gettext_lazy("No more can move up and down together than play in a division."),
    "boards": gettext_lazy("Choose an odd number of boards, from 1 to 15."),
    "team_size": gettext_lazy("A team has at least as many players as there are boards, and at most 30."),
    "round": gettext_lazy("A round begins every 1 to 60 days."),
    "closes": gettext_lazy("A line-up closes after the round before has begun."),
    "teams": gettext_lazy("Teams play duels: everybody meets everybody, groups, or a knock-out."),
    "team_withdrawn": gettext_lazy("In team leagues, all games count."),
    "team_length": gettext_lazy(
        "The season is too short for that many team rounds. A knock-out after groups needs 28 more days."
    ),
    "clock": gettext_lazy("Leagues can't use this clock."),
    "length": gettext_lazy("A season lasts from 1 to 400 days."),
    "short": gettext_lazy("The rounds of a knock-out share its time: give it 28 days at least."),
    "longer": gettext_lazy("Matches are best of an odd number of games."),
    "from_group": gettext_lazy("At least one of each group goes on, and no more than play in it."),
    "challenge_length": gettext_lazy("A challenge lasts from 2 to 400 days."),
    "duplicate": gettext_lazy("A ladder has no rounds whose tables could draw the same tiles."),
    "late_until": gettext_lazy("Only with two players at a table can someone join a season in progress."),
    "most_players": gettext_lazy("There must be room for at least one full table."),
    "endless": gettext_lazy("With this clock a game might never end."),
    "rated_house_rules": gettext_lazy("Games by these rules are unrated."),
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
    "boards": "boards",
    "team_size": "most",
    "round": "round_days",
    "closes": "line_up_hours",
    "teams": "sides",
    "team_withdrawn": "withdrawn",
    "team_length": "length",
    "clock": "clock",
    "length": "length",
    "short": "length",
    "longer": "late_best_of",
    "from_group": "from_group",
    "challenge_length": "challenge_length",
    "duplicate": "duplicate",
    "late_until": "late_until",
    "most_players": "most_players",
    "endless": "clock",
    "rated_house_rules": "rated",
}
"""At which field of the form a fault stands; what is not here stands above them."""


def fault(name: str) -> str:
    """In words what is wrong."""
    if name in FAULTS:
        return str(FAULTS[name])
    return _("A league can't work like this: {what}.").format(what=name)
