"""The dates of a player's leagues, for their private calendar: seasons, rounds, challenges, and matches of
their teams."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from core.calendars import CalendarEvent
from leagues.models import Kind, Match, TeamMatch
from leagues.pages.league_calendar import build_season_event, build_season_events
from leagues.pages.names import format_match_name
from leagues.pages.team_results import build_match_url
from leagues.selectors.feed import Changes, load_calendar_changes
from leagues.selectors.own_dates import load_ending_matches, load_own_seasons, load_own_team_matches


def list_events(player: Player) -> Iterator[CalendarEvent]:
    """Yield the dates of the leagues in which *player* plays; five queries at most."""
    seasons = load_own_seasons(player)
    if not seasons:
        return
    changes = load_calendar_changes(seasons)
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
