"""Calendars of leagues: a public one of each league, and events for a player's private calendar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain

from django.utils.translation import gettext as _

from accounts.models import Player
from core.calendars import CalendarEvent, render_calendar
from leagues.models import League, Match, Season, TeamMatch
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
        season = match.division.season
        named = {
            "league": season.league.name,
            "n": season.number,
            "round": match.division.name_round(round),
        }
        said = _("{league}: season {n}, line-ups due: {round}").format(**named)
        yield build_season_event(season, f"{kind}-{round}-line-ups", match.closes, said, changes[key])
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
        path=path or season.get_absolute_url(),
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
    named = {
        "league": season.league.name,
        "round": match.name,
        "match": f"{match.first} – {match.second}",
    }
    path, kind = match.get_absolute_url(), f"team-match-{match.pk}"
    if match.first.is_led_by(player.pk) or match.second.is_led_by(player.pk):
        said = _("{league}: set your line-up: {match} ({round})").format(**named)
        yield build_season_event(season, f"{kind}-line-up", match.closes, said, changes, path)
    said = _("{league}: {match} begins ({round})").format(**named)
    yield build_season_event(season, kind, match.begins, said, changes, path)
    if match.ends is not None and not match.decided:
        said = _("{league}: latest end of {match} ({round})").format(**named)
        yield build_season_event(season, f"{kind}-ends", match.ends, said, changes, path)


def _build_match_event(match: Match, player: Player, changes: Changes) -> CalendarEvent:
    season = match.division.season
    named = {
        "league": season.league.name,
        "round": match.name,
        "names": match.name_opponents(player.pk),
    }
    if match.division.format.has_challenges:
        said = _("{league}: latest end of your challenge with {names}").format(**named)
    else:
        said = _("{league}: latest end of your match with {names} ({round})").format(**named)
    assert match.ends is not None
    kind = f"match-{match.pk}-ends"
    return build_season_event(season, kind, match.ends, said, changes, match.get_absolute_url())
