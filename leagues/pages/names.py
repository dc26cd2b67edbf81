"""What parts of a season are called."""

from __future__ import annotations

from django.utils.translation import gettext as _

from leagues.models import Division, Kind
from leagues.settings import Schedule


def division_name(division: Division) -> str:
    if division.kind == Kind.KNOCK_OUT:
        return _("Knock-out")
    if division.kind == Kind.LADDER:
        return _("Ladder")
    if division.season.agreed["schedule"] == Schedule.GROUPS:
        return _("Group {n}").format(n=division.level)
    return _("Division {n}").format(n=division.level)
