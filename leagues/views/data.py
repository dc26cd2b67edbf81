"""Machine-readable views of leagues: feed, calendar, CSV, JSON and pictures of tables."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import content_disposition_header
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from core.outputs import PlainFeed
from leagues.models import Kind, League, Season
from leagues.pages import calendars, data, feed
from leagues.pages.standings_picture import build_picture, render_png
from leagues.selectors import leagues, teams
from leagues.selectors.feed import find_last_change
from leagues.views.named_rows import get_division_or_404, get_season_or_404

ListRows = Callable[[Season], Iterable[dict[str, Any]]]


class LeagueFeed(Feed):
    """The news feed of a league."""

    feed_type = PlainFeed

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        shown = get_object_or_404(League, slug=kwargs["slug"])
        return _fresh(request, shown, lambda: super(LeagueFeed, self).__call__(request, league=shown))

    def get_object(self, request: HttpRequest, league: League) -> League:
        return league

    def title(self, league: League) -> str:
        return league.name

    def subtitle(self, league: League) -> str:
        return _("Results and seasons of {name}").format(name=league.name)

    def link(self, league: League) -> str:
        return reverse("league:league", args=[league.slug])

    def feed_url(self, league: League) -> str:
        return reverse("league:feed", args=[league.slug])

    def items(self, league: League) -> list[feed.Item]:
        return feed.build_items(league)

    def item_title(self, item: feed.Item) -> str:
        return item.title

    def item_description(self, item: feed.Item) -> str:
        return item.text

    def item_link(self, item: feed.Item) -> str:
        return item.url

    def item_guid(self, item: feed.Item) -> str:
        return f"tag:{settings.SITE_HOST},2026:{item.id}"

    def item_updateddate(self, item: feed.Item) -> datetime:
        return item.at

    def item_pubdate(self, item: feed.Item) -> datetime:
        return item.at


@slows_reading
@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Serve the calendar of a league, for subscriptions."""
    league = get_object_or_404(League, slug=slug)
    return _fresh(
        request,
        league,
        lambda: HttpResponse(calendars.build_calendar(league), content_type="text/calendar"),
    )


@slows_reading
@require_safe
def tables_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Serve the tables of a season as CSV, a line for each player."""
    season = get_season_or_404(slug, number)
    return _csv(request, season, "tables", data.TABLES, data.list_table_rows)


@slows_reading
@require_safe
def teams_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Serve the tables of the teams of a season as CSV, a line for each team."""
    season = get_season_or_404(slug, number)
    if season.settings.teams is None:
        raise Http404
    return _csv(request, season, "teams", data.TEAMS, data.list_team_rows)


@slows_reading
@require_safe
def games_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Serve the public games of a season as CSV, a line for each."""
    season = get_season_or_404(slug, number)
    return _csv(request, season, "games", data.GAMES, data.list_game_rows)


@slows_reading
@require_safe
def season_json(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Serve all of a season as JSON."""
    season = get_season_or_404(slug, number)
    return _file(request, season, "json", "application/json", lambda: data.render_json(season))


@slows_reading
@require_safe
def picture(request: HttpRequest, slug: str, number: int, level: int) -> HttpResponseBase:
    """Serve the picture of the top of a division's table, for links on other sites."""
    shown = get_division_or_404(slug, number, level)
    if shown.kind != Kind.TABLE:
        raise Http404
    of_teams = shown.season.settings.teams is not None
    drawn = build_picture(shown, teams.load_table(shown) if of_teams else leagues.load_table(shown))
    etag = f'"{drawn.key}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(render_png(drawn), content_type="image/png")
    response["ETag"] = etag
    patch_cache_control(response, private=True, max_age=600)
    return response


def _csv(
    request: HttpRequest, season: Season, name: str, columns: tuple[str, ...], list_rows: ListRows
) -> HttpResponseBase:
    def write() -> Iterable[str]:
        return data.render_csv(columns, list_rows(season))

    return _file(request, season, f"{name}.csv", "text/csv", write)


def _file(
    request: HttpRequest, season: Season, ending: str, kind: str, write: Callable[[], Iterable[str]]
) -> HttpResponseBase:
    def answer() -> HttpResponseBase:
        name = f"{season.league.slug}-{season.number}-{ending}".replace("-json", ".json")
        response = StreamingHttpResponse(write(), content_type=f"{kind}; charset=utf-8")
        response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
        return response

    return _fresh(request, season.league, answer)


def _fresh(request: HttpRequest, league: League, answer: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The *answer*, or 304 if *league* has not changed since the client's version."""
    etag = f'"{find_last_change(league):%Y%m%d%H%M%S%f}-{get_language()}"'
    response = get_conditional_response(request, etag=etag) or answer()
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    return response
