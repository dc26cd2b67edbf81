"""Penalty points: marks in tables, and the effects of setting them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.references import show_rows
from core.numerals import MINUS
from leagues.models import Division, Entry, Kind, League, Team
from leagues.pages.effects import Effects, describe_table_changes
from leagues.seasons.own_matters import check_own_matter
from leagues.seasons.penalties import (
    build_penalty_matter,
    check_penalty,
    find_table,
    has_table_counted,
    preview_penalty,
)
from leagues.seasons.teams.tables import build_table_rules
from leagues.words.criteria import format_number
from leagues.words.log import describe_own_matter, describe_what_stands_after_penalty


class PenaltyMark(NamedTuple):
    """Mark of a penalty in a table."""

    short: str  # beside the points
    said: str
    reason: str
    url: str  # of the line of the log


def build_penalty_marks(league: League, contenders: Sequence[Entry | Team]) -> dict[int, PenaltyMark]:
    """Return the marks of those of *contenders* who have a penalty, by primary key. They were read with
    ``penalty_ruling``."""
    punished = [one for one in contenders if one.penalty]
    show_rows(one.penalty_ruling for one in punished)
    log = reverse("league:log", args=[league.slug])
    marks = {}
    for one in punished:
        assert one.penalty_ruling is not None
        number = format_number(str(one.penalty))
        key = one.penalty_ruling.pk
        marks[one.pk] = PenaltyMark(
            short=f"({MINUS}{number})",
            said=_("Penalty points: {n}").format(n=number),
            reason=one.penalty_ruling.reason,
            url=f"{log}?entry={key}#entry-{key}",
        )
    return marks


def build_penalty_url(division: Division) -> str:
    """Return the URL of the form to set penalty points in *division*; empty if it has no table of points."""
    season = division.season
    if division.kind != Kind.TABLE or not season.settings.counts_points:
        return ""
    return f"{reverse('league:act', args=[season.league.slug, 'penalty'])}?division={division.pk}"


def name_contender(contender: Entry | Team) -> str:
    """Return the name of a team, or of the player of an entry that was read with it."""
    return contender.name if isinstance(contender, Team) else str(contender.player)


def name_with_penalty(contender: Entry | Team) -> str:
    """Return the name with the current penalty points, if there are any."""
    name = name_contender(contender)
    return f"{name} ({MINUS}{format_number(str(contender.penalty))})" if contender.penalty else name


def describe_penalty(contender: Entry | Team, points: Decimal, who: Player) -> Effects:
    """Describe the effects of giving *contender* this number of penalty *points*.

    :raises LeagueRefused: the penalty isn't allowed
    """
    division = find_table(contender)
    check_penalty(contender, points)
    own_matter = check_own_matter(division.season.league, who, build_penalty_matter(contender))
    told = [describe_own_matter()] if own_matter else []
    told.append(
        _("Penalty points of {name}: {before}, now {after}.").format(
            name=name_contender(contender),
            before=format_number(str(contender.penalty)),
            after=format_number(str(points)),
        )
    )
    if has_table_counted(division):
        told.append(describe_what_stands_after_penalty())
    table = preview_penalty(contender, points)
    if isinstance(contender, Team):
        teams = {team.pk: team for team in division.teams.all()}
        names = {key: team.name for key, team in teams.items()}
        return told + describe_table_changes(table, teams, names, build_table_rules(division.season))
    entries = {entry.player_id: entry for entry in division.entries.select_related("player")}
    names = {key: str(entry.player) for key, entry in entries.items()}
    return told + describe_table_changes(table, entries, names, division.season.settings.standings)
