"""News of a league for readers of feeds, and its dates for calendars."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from accounts.references import show_rows
from core.outputs import clean_for_calendar
from games.words.grammar import capitalise
from leagues.models import League, LogEntry, Match, Season, TeamMatch
from leagues.pages.league import format_season_name
from leagues.pages.names import format_match_name, format_round_name
from leagues.pages.team_results import build_match_url, format_score
from leagues.selectors import feed as found
from leagues.words.criteria import format_number
from leagues.words.log import describe_act


class Item(NamedTuple):
    """Something to tell."""

    id: str
    at: datetime
    title: str
    text: str
    url: str


def build_items(league: League) -> list[Item]:
    """The latest of *league*, the newest first: results, seasons, and what others have registered."""
    items = [
        *(_match(league, match) for match in found.load_decided_matches(league)),
        *(_team_match(league, match) for match in found.load_decided_team_matches(league)),
        *(_entry(league, entry) for entry in show_rows(found.load_log_news(league))),
        *(Item(*news) for news in found.collect_further_news(league)),
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


def _team_match(league: League, match: TeamMatch) -> Item:
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


def build_calendar(league: League) -> bytes:
    """Return a calendar of when the latest seasons of *league* begin and end; of teams also when line-ups
    must be in order, and when rounds begin."""
    calendar = Calendar()
    calendar.add("prodid", "-//carcassonne-by-correspondence//leagues//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", clean_for_calendar(league.name))
    seasons = found.load_seasons(league)
    changes = found.load_calendar_changes(league, seasons)
    ends = chain.from_iterable(_ends(league, season) for season in seasons)
    for season, event in chain(ends, _rounds(league, seasons)):
        changed = changes[season.pk]
        event.add("dtstamp", changed.at)
        event.add("last-modified", changed.at)
        event.add("sequence", changed.times)
        calendar.add_component(event)
    written: bytes = calendar.to_ical()
    return written


def _ends(league: League, season: Season) -> Iterator[tuple[Season, Event]]:
    named = {"league": league.name, "n": season.number}
    said = _("{league}: registration ends, season {n} begins").format(**named)
    yield _event(league, season, "begins", season.begins, said)
    if season.phase != "cancelled":
        said = _("{league}: season {n} ends").format(**named)
        yield _event(league, season, "ends", season.closed or season.ends, said)


def _rounds(league: League, seasons: QuerySet[Season]) -> Iterator[tuple[Season, Event]]:
    """Of each round of teams two events, however many divisions play it at that time."""
    rounds = {
        (match.division.season_id, match.division.kind, match.round, match.begins): match
        for match in found.load_team_rounds(seasons)
    }
    for (_season, kind, round, begins), match in rounds.items():
        season, teams = match.division.season, match.division.season.settings.teams
        assert teams is not None
        named = {"league": league.name, "n": season.number, "round": format_round_name(match.division, round)}
        said = _("{league}: season {n}, line-ups must be in order: {round}").format(**named)
        yield _event(league, season, f"{kind}-{round}-line-ups", begins - teams.closes, said)
        said = _("{league}: season {n}, begins: {round}").format(**named)
        yield _event(league, season, f"{kind}-{round}", begins, said)


def _event(league: League, season: Season, kind: str, at: datetime, text: str) -> tuple[Season, Event]:
    event = Event()
    event.add("uid", f"season-{season.pk}-{kind}@{settings.SITE_HOST}")
    event.add("dtstart", at)
    event.add("summary", clean_for_calendar(text))
    url = reverse("league:season", args=[league.slug, season.number])
    event.add("url", settings.SITE_URL + url)
    return season, event
