"""Error messages for invalid settings of a league."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

FAULTS: Mapping[str, StrOrPromise] = {
    "points": gettext_lazy("First place has to earn points, and no place can earn more than a better one."),
    "tie_breaks": gettext_lazy("Choose each tie-break only once."),
    "best_of": gettext_lazy("Only two-player matches can have several games."),
    "up": gettext_lazy("That's too many to move up: choose fewer."),
    "schedule": gettext_lazy("With more than two players at a table, only “Everyone plays everyone” works."),
    "rounds": gettext_lazy("Choose from 1 to 60 rounds."),
    "division_size": gettext_lazy("A division has at least as many players as a table, and at most 60."),
    "down": gettext_lazy("Choose fewer: more would move up and down than play in a division."),
    "boards": gettext_lazy("Choose an odd number of boards, from 1 to 15."),
    "team_size": gettext_lazy("A team has at least as many players as there are boards, and at most 30."),
    "round": gettext_lazy("Choose from 1 to 60 days between rounds."),
    "closes": gettext_lazy(
        "Line-ups would close before the previous round has even started: choose fewer hours."
    ),
    "teams": gettext_lazy("Teams play duels: everybody meets everybody, groups, or a knock-out."),
    "team_admission": gettext_lazy("In team leagues, captains choose their players: choose “Anyone”."),
    "team_withdrawn": gettext_lazy("In team leagues, all games count."),
    "team_length": gettext_lazy(
        "The season is too short for that many team rounds. A knock-out after groups needs 28 more days."
    ),
    "clock": gettext_lazy("Leagues can't use this clock."),
    "length": gettext_lazy("A season lasts from 1 to 400 days."),
    "protest": gettext_lazy("Give players up to 168 hours, which are 7 days, to protest."),
    "short": gettext_lazy("The rounds of a knock-out share its time: give it 28 days at least."),
    "longer": gettext_lazy("Choose an odd number of games."),
    "from_group": gettext_lazy("From each group at least one has to go on, and at most all of them."),
    "declines": gettext_lazy("A player can decline from 0 to 20 challenges in a season."),
    "seeding": gettext_lazy("Nobody draws lots for a ladder: choose another starting order."),
    "challenge_length": gettext_lazy("A challenge lasts from 2 to 400 days."),
    "duplicate": gettext_lazy("A ladder has no rounds, so games can't share their tiles."),
    "comparison": gettext_lazy(
        "The comparison can only count if single players have tables and all tables of a round draw "
        "the same tiles."
    ),
    "comparison_alone": gettext_lazy("If the comparison decides alone, a match is a single game."),
    "late_until": gettext_lazy("Only with two players at a table can someone join a season in progress."),
    "most_players": gettext_lazy("There must be room for at least one full table."),
    "endless": gettext_lazy("With this clock a game might never end."),
    "rated_house_rules": gettext_lazy("Games by these rules are unrated."),
}
"""Messages by the names of ``LeagueSettings.faults``."""

FIELDS: Mapping[str, str] = {
    "points": "points_1",
    "tie_breaks": "tie_1",
    "best_of": "best_of",
    "up": "up",
    "schedule": "schedule",
    "rounds": "rounds",
    "protest": "protest",
    "division_size": "division_size",
    "down": "down",
    "boards": "boards",
    "team_size": "most",
    "round": "round_days",
    "closes": "line_up_hours",
    "teams": "sides",
    "team_admission": "admission",
    "team_withdrawn": "withdrawn",
    "team_length": "length",
    "clock": "clock",
    "length": "length",
    "short": "length",
    "longer": "late_best_of",
    "from_group": "from_group",
    "seeding": "seeding",
    "challenge_length": "challenge_length",
    "declines": "declines",
    "duplicate": "duplicate",
    "comparison": "comparison",
    "comparison_alone": "comparison",
    "late_until": "late_until",
    "most_players": "most_players",
    "endless": "clock",
    "rated_house_rules": "rated",
}
"""Field of the form by fault; other faults are shown above all fields."""


def describe_fault(name: str) -> str:
    """Describe the fault of this *name*."""
    if name in FAULTS:
        return str(FAULTS[name])
    return _("A league can't work like this: {what}.").format(what=name)
