"""What parts of a season are called."""

from __future__ import annotations

from django.utils.translation import gettext as _

from leagues.models import Division, Kind
from leagues.settings import Schedule
from leagues.words import rounds


def round_name(division: Division, round: int, number: int = 1) -> str:
    """What a round is called, or in the last one of a knock-out the match for third place."""
    if division.kind != Kind.KNOCK_OUT:
        return _("Round {n}").format(n=round)
    if round == division.rounds and number > 1:
        return _("For third place")
    return rounds.of_ties(1 << (division.rounds - round))


def division_name(division: Division) -> str:
    if division.kind == Kind.KNOCK_OUT:
        return _("Knock-out")
    if division.kind == Kind.LADDER:
        return _("Ladder")
    if division.season.agreed["schedule"] == Schedule.GROUPS:
        return _("Group {n}").format(n=division.level)
    return _("Division {n}").format(n=division.level)
