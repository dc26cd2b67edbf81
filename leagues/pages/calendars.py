"""Calendars of leagues: a public one of each league, and events for a player's private calendar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from core.calendars import CalendarEvent, render_calendar
from leagues.models import Kind, League, Match, Season, TeamMatch
from leagues.pages.names import format_match_name, format_round_name
from leagues.pages.team_results import build_match_url
from leagues.selectors import feed as found
from leagues.selectors.feed import Changes
from leagues.selectors.own_dates import load_ending_matches, load_own_seasons, load_own_team_matches


def build_calendar(league: League) -> bytes:
    """Render a calendar of the beginnings and ends of the latest seasons of *league*; of teams also the
    deadlines for line-ups and the beginnings of rounds."""
    seasons = list(found.load_seasons(league))
    changes = found.load_calendar_changes(seasons)
    ends = chain.from_iterable(build_season_events(season, changes[season.pk]) for season in seasons)
    return render_calendar(league.name, "leagues", chain(ends, _build_round_events(seasons, changes)))


def build_season_events(season: Season, changes: Changes) -> Iterator[CalendarEvent]:
    """Yield the beginning and end of *season*, read with its league."""
    named = {"league": season.league.name, "n": season.number}
    said = _("{league}: registration ends, season {n} begins").format(**named)
    yield build_season_event(season, "begins", season.begins, said, changes)
    if season.phase != "cancelled":
        said = _("{league}: season {n} ends").format(**named)
        yield build_season_event(season, "ends", season.closed or season.ends, said, changes)


def _build_round_events(seasons: Sequence[Season], changes: dict[int, Changes]) -> Iterator[CalendarEvent]:
    """Yield two events for each round of teams, however many divisions play it at that time."""
    rounds = {
        (match.division.season_id, match.division.kind, match.round, match.begins): match
        for match in found.load_team_rounds(seasons)
    }
    for (key, kind, round, begins), match in rounds.items():
        season, teams = match.division.season, match.division.season.settings.teams
        assert teams is not None
        named = {
            "league": season.league.name,
            "n": season.number,
            "round": format_round_name(match.division, round),
        }
        said = _("{league}: season {n}, line-ups must be in order: {round}").format(**named)
        yield build_season_event(
            season, f"{kind}-{round}-line-ups", begins - teams.closes, said, changes[key]
        )
        said = _("{league}: season {n}, begins: {round}").format(**named)
        yield build_season_event(season, f"{kind}-{round}", begins, said, changes[key])


def build_season_event(
    season: Season, kind: str, at: datetime, title: str, changes: Changes, path: str = ""
) -> CalendarEvent:
    """Build an event of *season*, whose *kind* is unique in it; it links to the season's page unless *path*
    is given."""
    return CalendarEvent(
        id=f"season-{season.pk}-{kind}",
        begins=at,
        title=title,
        path=path or reverse("league:season", args=[season.league.slug, season.number]),
        changed=changes.at,
        times_changed=changes.times,
    )


def list_own_events(player: Player) -> Iterator[CalendarEvent]:
    """Yield the dates of the leagues in which *player* plays; five queries at most."""
    seasons = load_own_seasons(player)
    if not seasons:
        return
    changes = found.load_calendar_changes(seasons)
    for season in seasons:
        yield from build_season_events(season, changes[season.pk])
    for team_match in load_own_team_matches(player, seasons):
        yield from _list_team_events(team_match, player, changes[team_match.division.season_id])
    for match in load_ending_matches(player, seasons):
        yield _build_match_event(match, player, changes[match.division.season_id])


def _list_team_events(match: TeamMatch, player: Player, changes: Changes) -> Iterator[CalendarEvent]:
    season = match.division.season
    teams = season.settings.teams
    assert teams is not None
    named = {
        "league": season.league.name,
        "round": format_match_name(match),
        "match": f"{match.first} – {match.second}",
    }
    path = build_match_url(season, match.division, match)
    kind = f"team-match-{match.pk}"
    if match.first.is_led_by(player.pk) or match.second.is_led_by(player.pk):
        said = _("{league}: put your line-up in order: {match} ({round})").format(**named)
        yield build_season_event(season, f"{kind}-line-up", match.begins - teams.closes, said, changes, path)
    said = _("{league}: {match} begins ({round})").format(**named)
    yield build_season_event(season, kind, match.begins, said, changes, path)
    if match.ends is not None and not match.decided:
        said = _("{league}: {match} ends at the latest ({round})").format(**named)
        yield build_season_event(season, f"{kind}-ends", match.ends, said, changes, path)


def _build_match_event(match: Match, player: Player, changes: Changes) -> CalendarEvent:
    season, division = match.division.season, match.division
    others = [str(seat.player) for seat in match.seats.all() if seat.player_id != player.pk]
    named = {
        "league": season.league.name,
        "round": format_match_name(match),
        "names": ", ".join(others),
    }
    path = reverse("league:division", args=[season.league.slug, season.number, division.level])
    if division.kind == Kind.LADDER:
        said = _("{league}: your challenge with {names} ends at the latest").format(**named)
    else:
        said = _("{league}: your match with {names} ends at the latest ({round})").format(**named)
        path += f"?round={match.round}" if division.kind == Kind.TABLE else ""
    assert match.ends is not None
    return build_season_event(season, f"match-{match.pk}-ends", match.ends, said, changes, path)
