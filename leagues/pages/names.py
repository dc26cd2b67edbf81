"""Names of the parts of a season."""

from __future__ import annotations

from django.utils.translation import gettext as _

from leagues.models import Division, Kind, Match, TeamMatch
from leagues.settings import Schedule
from leagues.words import rounds


def format_round_name(division: Division, round: int, match: Match | TeamMatch | None = None) -> str:
    """Name a round of *division*; in the last one of a knock-out *match* may be the one for third place."""
    if division.kind != Kind.KNOCK_OUT:
        return _("Round {n}").format(n=round)
    if round == division.rounds and match is not None and match.number > 1:
        return _("Match for third place")
    return rounds.format_round(1 << (division.rounds - round))


def format_match_name(match: Match | TeamMatch) -> str:
    """Say where *match* stands: its division and round; a ladder has no rounds."""
    division = format_division_name(match.division)
    if match.division.kind == Kind.LADDER:
        return division
    return _("{division}, {round}").format(
        division=division, round=format_round_name(match.division, match.round, match)
    )


def format_division_name(division: Division) -> str:
    if division.kind == Kind.KNOCK_OUT:
        return _("Knock-out")
    if division.kind == Kind.LADDER:
        return _("Ladder")
    if division.season.agreed["schedule"] == Schedule.GROUPS:
        return _("Group {n}").format(n=division.level)
    return _("Division {n}").format(n=division.level)


def read_round(asked: str | None, last: int, usual: int) -> int:
    """Return the round that was *asked* for, up to the *last* one; the *usual* one where that is none."""
    known = asked is not None and asked.isdecimal() and len(asked) <= len(str(last))
    return int(asked) if asked and known and 1 <= int(asked) <= last else usual
