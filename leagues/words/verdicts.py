"""Words of verdicts on games of leagues (STAND-21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.words.times import format_day, format_when_and_zone
from leagues.words.log import format_ranking


def describe_decision_end(until: datetime) -> str:
    """Say until when organisers decide how a game counts."""
    return _("The league's organisers have until {when} to decide how it counts.").format(
        when=format_when_and_zone(until)
    )


def describe_settlement(
    organiser: str, at: datetime, ranks: Mapping[int, int], names: Mapping[int, str], reason: str
) -> str:
    """Say how an *organiser* has settled a game, when and why."""
    ranked = sorted(ranks.items(), key=lambda row: (row[1], row[0]))
    said = _("{organiser} decided on {day} how this game counts in the league: {result}.").format(
        organiser=organiser, day=format_day(at), result=format_ranking(ranked, names)
    )
    return " ".join(filter(None, (said, reason and _("Reason: {reason}").format(reason=reason))))


def describe_forfeits(absent: Sequence[str], *, nobody: bool) -> str:
    """Say who forfeits a game, or that *nobody* wins it."""
    if nobody:
        return _("In the league it has no winner.")
    return ngettext(
        "In the league it counts as a forfeit of {names}.",
        "In the league it counts as forfeits of {names}.",
        len(absent),
    ).format(names=", ".join(absent))


def describe_lapse(until: datetime) -> str:
    """Say that organisers have left a game to its clock (CLOCK-24)."""
    return _("The organisers had until {day} to decide otherwise, so the time used decides.").format(
        day=format_day(until)
    )


def describe_striking() -> str:
    """Say that a game was struck from the table (STAND-4)."""
    return _("It doesn't count in the table any more.")


def format_headline(winners: Sequence[str], *, settled: bool, forfeit: bool) -> str:
    """Say who has won, as one sentence."""
    names = ", ".join(winners)
    if not winners:
        return _("The organisers decided that there's no winner.") if settled else _("There's no winner.")
    if len(winners) > 1:
        said = _("{names} tied by the organisers' decision.") if settled else _("{names} tied.")
    elif settled:
        said = _("{names} has won by the organisers' decision.")
    else:
        said = _("{names} has won by forfeit.") if forfeit else _("{names} has won.")
    return said.format(names=names)


def name_undecided(until: datetime) -> str:
    """Name a game that isn't decided yet, for lists."""
    return _("organisers decide by {day}").format(day=format_day(until))


def name_decision(*, settled: bool, forfeit: bool, struck: bool) -> str:
    """Name what has decided a game, for lists; nothing if it was the game itself."""
    if struck:
        return _("removed from the table")
    if settled:
        return _("decided by organisers")
    return _("by forfeit") if forfeit else ""
