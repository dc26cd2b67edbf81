"""The news feed of a league."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.references import show_rows
from games.words.grammar import capitalise
from leagues.models import League, LogEntry, Match, TeamMatch
from leagues.pages.league import format_season_name
from leagues.pages.names import format_match_name
from leagues.pages.team_results import build_match_url, format_score
from leagues.selectors import feed as found
from leagues.words.criteria import format_number
from leagues.words.log import describe_act


class Item(NamedTuple):
    """Item of a feed."""

    id: str
    at: datetime
    title: str
    text: str
    url: str


def build_items(league: League) -> list[Item]:
    """Build the latest items of *league*, the newest first: results and events of seasons."""
    items = [
        *(_match(league, match) for match in found.load_decided_matches(league)),
        *(_team_match(match) for match in found.load_decided_team_matches(league)),
        *(_entry(league, entry) for entry in show_rows(found.load_log_news(league))),
    ]
    return sorted(items, key=lambda item: item.at, reverse=True)[: found.LATEST]


def _match(league: League, match: Match) -> Item:
    division = match.division
    assert match.decided is not None
    seats = [seat.player for seat in match.seats.all()]
    won = dict.fromkeys((player.pk for player in seats), Fraction())
    for fixture in match.fixtures.all():
        first = [seat["player"] for seat in fixture.seats or () if seat["rank"] == 1]
        for player in first:
            if player in won:
                won[player] += Fraction(1, len(first))
    told = ", ".join(f"{player} {format_number(won[player.pk])}" for player in seats)
    url = reverse("league:division", args=[league.slug, division.season.number, division.level])
    return Item(f"match-{match.pk}", match.decided, told, _place(match), f"{url}?round={match.round}")


def _team_match(match: TeamMatch) -> Item:
    division = match.division
    url = build_match_url(division.season, division, match)
    told = f"{match.first} – {match.second} {format_score(match)}"
    at: datetime = match.at  # type: ignore[attr-defined]
    return Item(f"team-match-{match.pk}", at, told, _place(match), url)


def _place(match: Match | TeamMatch) -> str:
    return _("{season}, {division}").format(
        season=format_season_name(match.division.season), division=format_match_name(match)
    )


def _entry(league: League, entry: LogEntry) -> Item:
    url = reverse("league:league", args=[league.slug])
    title = capitalise(describe_act(entry.act))
    if entry.season is not None:
        title = f"{format_season_name(entry.season)}: {describe_act(entry.act)}"
        url = reverse("league:season", args=[league.slug, entry.season.number])
    return Item(f"log-{entry.pk}", entry.at, title, entry.reason, url)
