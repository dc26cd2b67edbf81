"""Machine-readable views of leagues: calendar, CSV and JSON."""

from collections.abc import Callable, Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from leagues.models import League, Season
from leagues.selectors import calendars, exports
from leagues.views.conditional import answer_if_changed
from leagues.views.named_rows import get_season_or_404

ListRows = Callable[[Season], Iterable[dict[str, Any]]]


@slows_reading
@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Serve the calendar of a league, for subscriptions."""
    league = get_object_or_404(League, slug=slug)
    return answer_if_changed(
        request,
        league,
        lambda: HttpResponse(calendars.build_calendar(league), content_type="text/calendar"),
    )


@slows_reading
@require_safe
def tables_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Serve the tables of a season as CSV, a line for each player."""
    season = get_season_or_404(slug, number)
    return _csv(request, season, "tables", exports.TABLES, exports.list_table_rows)


@slows_reading
@require_safe
def teams_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Serve the tables of the teams of a season as CSV, a line for each team."""
    season = get_season_or_404(slug, number)
    if not season.contenders.in_teams:
        raise Http404
    return _csv(request, season, "teams", exports.TEAMS, exports.list_team_rows)


@slows_reading
@require_safe
def games_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Serve the public games of a season as CSV, a line for each."""
    season = get_season_or_404(slug, number)
    return _csv(request, season, "games", exports.GAMES, exports.list_game_rows)


@slows_reading
@require_safe
def season_json(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Serve all of a season as JSON."""
    season = get_season_or_404(slug, number)
    return _file(request, season, "json", "application/json", lambda: exports.render_json(season))


def _csv(
    request: HttpRequest, season: Season, name: str, columns: tuple[str, ...], list_rows: ListRows
) -> HttpResponseBase:
    def write() -> Iterable[str]:
        return exports.render_csv(columns, list_rows(season))

    return _file(request, season, f"{name}.csv", "text/csv", write)


def _file(
    request: HttpRequest, season: Season, ending: str, kind: str, write: Callable[[], Iterable[str]]
) -> HttpResponseBase:
    def answer() -> HttpResponseBase:
        name = f"{season.league.slug}-{season.number}-{ending}".replace("-json", ".json")
        response = StreamingHttpResponse(write(), content_type=f"{kind}; charset=utf-8")
        response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
        return response

    return answer_if_changed(request, season.league, answer)
