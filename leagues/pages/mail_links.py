"""Links to the leagues that mails are about, for the reader's list of mails."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Model
from django.urls import reverse

from core.hooks import PageLink
from games.models import Notice
from leagues.models import (
    Announcement,
    Challenge,
    Division,
    Entry,
    League,
    LogEntry,
    OrganiserRequest,
    Season,
    Team,
    TeamMember,
)

LEAGUE_OF: dict[str, tuple[type[Model], str]] = {
    "league": (League, ""),
    "log": (LogEntry, "league__"),
    "announcement": (Announcement, "league__"),
    "request": (OrganiserRequest, "league__"),
    "season": (Season, "league__"),
    "division": (Division, "season__league__"),
    "entry": (Entry, "season__league__"),
    "team": (Team, "season__league__"),
    "member": (TeamMember, "season__league__"),
    "challenge": (Challenge, "division__season__league__"),
}
"""Models by key of ``Notice.about``, with the lookup of their league; the first key that a notice has
counts."""


def link_leagues(notices: Sequence[Notice]) -> dict[int, PageLink]:
    """Link the league of each of *notices*, by primary key; at most one query for each kind of key. Notices
    whose row is gone get no link."""
    keys: dict[str, dict[int, int]] = defaultdict(dict)
    for notice in notices:
        name = next((name for name in LEAGUE_OF if notice.about.get(name)), None)
        if name is not None:
            keys[name][notice.pk] = notice.about[name]
    links: dict[int, PageLink] = {}
    for name, by_notice in keys.items():
        model, way = LEAGUE_OF[name]
        rows = model._default_manager.filter(pk__in=by_notice.values())
        leagues = {
            pk: PageLink(league, reverse("league:league", args=[slug]))
            for pk, league, slug in rows.values_list("pk", f"{way}name", f"{way}slug")
        }
        links.update({pk: leagues[key] for pk, key in by_notice.items() if key in leagues})
    return links
