"""Descriptions of a league's settings, read before registration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from games.words import clocks, rule_sets
from leagues import setting_words as words
from leagues.setting_fields import list_settings
from leagues.settings import LeagueSettings

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Facts = list[tuple[str, str]]


def summarise_settings(settings: LeagueSettings) -> str:
    """Summarise a league on one line, for lists."""
    told = [
        settings.describe("seats"),
        clocks.format_usual_time(settings.clock),
        rule_sets.format_sets(settings.rules),
    ]
    if settings.standings.series:
        told.insert(1, _("best of {n}").format(n=settings.standings.best_of))
    return " · ".join([*settings.contenders.describe_briefly(settings), *told])


def list_facts(settings: LeagueSettings) -> Facts:
    """List all settings, as pairs of heading and text."""
    match = [settings.describe("best_of"), *settings.format.list_match_sentences(settings)]
    return [
        *list_fact(settings, words.TABLE),
        *list_team_facts(settings),
        *rule_sets.list_rules_in_brief(settings.rules),
        *list_fact(settings, words.TIME),
        *list_fact(settings, words.FORMAT),
        (_("Match"), " ".join(match)),
        *list_fact(settings, words.SHARED_DRAW),
        *settings.format.list_ranking_facts(settings),
        (_("Blocks"), describe_blocks(settings)),
        (_("Withdrawing"), settings.contenders.describe_withdrawing(settings)),
        *list_fact(settings, words.CALENDAR),
        *list_fact(settings, words.PROTESTS),
        *list_fact(settings, words.RATING),
    ]


def list_fact(settings: LeagueSettings, heading: StrOrPromise) -> Facts:
    """List what settings say under a *heading*, in the order of their table; nothing if they say nothing."""
    told = (each.describe(settings) for each in list_settings(type(settings)) if each.fact is heading)
    text = " ".join(filter(None, told))
    return [(str(heading), text)] if text else []


def list_team_facts(settings: LeagueSettings) -> Facts:
    """List rules that only hold for teams, as pairs of heading and text."""
    return [*list_fact(settings, words.OF_TEAMS), *list_fact(settings, words.LINE_UP)]


def describe_blocks(settings: LeagueSettings) -> str:
    """Describe the effects of blocks between players in a season, and their limits (STAND-18)."""
    counted = _(
        "If you've blocked someone before registration closes, or they've blocked you, we keep you apart "
        "where we can. Only the two oldest blocks of each player count."
    )
    return f"{counted} {settings.contenders.describe_blocks(settings)}"


def list_table_facts(settings: LeagueSettings) -> Facts:
    """List how a table is ranked, as pairs of heading and text."""
    if not settings.standings.counts_points:
        return [(_("Ranking"), settings.describe("comparison"))]
    contenders = settings.contenders
    tie_breaks = contenders.describe_tie_breaks(settings)
    return [
        (_("Points"), contenders.describe_points(settings)),
        (_("Ties"), " ".join(filter(None, (tie_breaks, contenders.describe_running_table(settings))))),
    ]


def describe_movement(settings: LeagueSettings) -> Iterator[str]:
    """Describe promotion and relegation at the end of a season (STAND-13)."""
    return filter(None, (settings.describe("up"), settings.describe("down")))
