"""The dates of a league, for calendars that anybody may subscribe to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain

from django.urls import reverse
from django.utils.translation import gettext as _

from core.calendars import CalendarEvent, render_calendar
from leagues.models import League, Season
from leagues.pages.names import format_round_name
from leagues.selectors import feed as found
from leagues.selectors.feed import Changes


def build_calendar(league: League) -> bytes:
    """Return a calendar of when the latest seasons of *league* begin and end; of teams also when line-ups
    must be in order, and when rounds begin."""
    seasons = list(found.load_seasons(league))
    changes = found.load_calendar_changes(seasons)
    ends = chain.from_iterable(build_season_events(season, changes[season.pk]) for season in seasons)
    return render_calendar(league.name, "leagues", chain(ends, _build_round_events(seasons, changes)))


def build_season_events(season: Season, changes: Changes) -> Iterator[CalendarEvent]:
    """Yield when *season*, read with its league, begins and ends."""
    named = {"league": season.league.name, "n": season.number}
    said = _("{league}: registration ends, season {n} begins").format(**named)
    yield build_season_event(season, "begins", season.begins, said, changes)
    if season.phase != "cancelled":
        said = _("{league}: season {n} ends").format(**named)
        yield build_season_event(season, "ends", season.closed or season.ends, said, changes)


def _build_round_events(seasons: Sequence[Season], changes: dict[int, Changes]) -> Iterator[CalendarEvent]:
    """Of each round of teams two events, however many divisions play it at that time."""
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
    """Build an event of *season*, of this *kind* once in it; its page is that of the season unless *path*
    says another."""
    return CalendarEvent(
        id=f"season-{season.pk}-{kind}",
        begins=at,
        title=title,
        path=path or reverse("league:season", args=[season.league.slug, season.number]),
        changed=changes.at,
        times_changed=changes.times,
    )
