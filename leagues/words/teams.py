"""Descriptions of the rules for teams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from games.words import times
from leagues.schedules.team_rules import TeamRules
from leagues.settings import LeagueSettings, Schedule

from .criteria import NAMES as OF_PLAYERS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NAMES: Mapping[str, StrOrPromise] = {
    **OF_PLAYERS,
    "points": pgettext_lazy("what decides", "match points"),
    "games_won": pgettext_lazy("what decides", "board points"),
}
"""Names of the criteria for teams, whose matches consist of boards."""


def list_facts(rules: TeamRules, schedule: Schedule) -> list[tuple[str, str]]:
    """List the rules for teams, as pairs of heading and text."""
    played = " ".join([*_teams(rules), *_rounds(rules, schedule)])
    return [(_("Teams"), played), (_("Line-up"), " ".join(_line_ups(rules)))]


def describe_size(rules: TeamRules) -> str:
    """Describe the size of teams, and the number of boards."""
    return " ".join(_teams(rules))


def _teams(rules: TeamRules) -> Iterator[str]:
    yield ngettext("Matches at {n} board.", "Matches at {n} boards.", rules.boards).format(n=rules.boards)
    if rules.least == rules.most:
        yield ngettext("Teams of {n} player.", "Teams of {n} players.", rules.most).format(n=rules.most)
    else:
        yield _("Teams of {least} to {most} players.").format(least=rules.least, most=rules.most)


def _rounds(rules: TeamRules, schedule: Schedule) -> Iterator[str]:
    every = times.format_span(rules.round)
    if schedule == Schedule.GROUPS:
        yield _("In groups a round begins every {time}.").format(time=every)
    elif schedule != Schedule.KNOCK_OUT:
        yield _("A round begins every {time}.").format(time=every)
    if schedule != Schedule.ROUND_ROBIN:
        yield _("Before each match of the knock-out there are {time} for line-ups.").format(
            time=times.format_span(rules.begins(1))
        )


def _line_ups(rules: TeamRules) -> Iterator[str]:
    yield _("The captain decides who plays on which board, at least {time} before the round starts.").format(
        time=times.format_span(rules.closes)
    )
    yield _("Otherwise the last line-up is used, or if there is none, the strongest players by rating.")
    yield _("A player who withdraws can be replaced by someone who isn't on a board, from the next game.")


def schedule(settings: LeagueSettings) -> str:
    """Describe the schedule of a league of teams."""
    if settings.schedule == Schedule.KNOCK_OUT:
        return _("Knock-out: the team that wins the match moves on, and the other one is out.")
    if settings.schedule == Schedule.GROUPS:
        first = settings.cup.from_group
        return ngettext(
            "Every team plays every other team in its group. The first of each group goes on to a knock-out.",
            "Every team plays every other team in its group. The first {n} of each group go "
            "on to a knock-out.",
            first,
        ).format(n=first)
    n = settings.rounds
    told = ngettext(
        "Every team meets every other team in the division once.",
        "Every team meets every other team in the division {n} times.",
        n,
    )
    return told.format(n=n)


def even() -> str:
    """Describe the tie-break of an even match of a knock-out."""
    return _(
        "If a match of the knock-out is even, the team with more points in the games at its boards moves on; "
        "if they have as many, the higher seed does."
    )


def points() -> str:
    return _(
        "2 for a match won, 1 for an even one. A board won is 1 board point, an even one "
        "half; the team with more wins the match. Between teams with equal match points, "
        "board points decide."
    )


def level(tie_breaks: tuple[str, ...]) -> str:
    """Describe the tie-breaks between teams with the same match points and board points."""
    listed = ", ".join(str(NAMES[name]) for name in ("games_won", *tie_breaks))
    return _("Tie-breaks, in this order: {criteria}.").format(criteria=listed)


def format_deadline(closes: datetime, now: datetime) -> str:
    """Describe the deadline of a line-up."""
    if closes <= now:
        return _("This line-up is closed.")
    return _("You can change it until {when}: {time} left.").format(
        when=times.format_when(closes), time=times.format_compact(closes - now)
    )
