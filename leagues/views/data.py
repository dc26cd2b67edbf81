"""Leagues for programs: feed, calendar, a season's tables and games, and a picture of a table."""

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
from carcassonne.outputs import PlainFeed
from leagues.models import Division, Kind, League, Season
from leagues.pages import data, feed
from leagues.pages.standings_picture import drawn_of, png_of
from leagues.selectors.feed import last_change
from leagues.selectors.leagues import table_of


class LeagueFeed(Feed):
    """The latest of a league, for readers of news."""

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
        return feed.items_of(league)

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
    """The dates of a league, to subscribe to."""
    league = get_object_or_404(League, slug=slug)
    return _fresh(
        request, league, lambda: HttpResponse(feed.calendar_of(league), content_type="text/calendar")
    )


@slows_reading
@require_safe
def tables_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The tables of a season, a line to each player."""
    season = _season(slug, number)
    return _file(
        request, season, "tables.csv", "text/csv", lambda: data.as_csv(data.TABLES, data.tables(season))
    )


@slows_reading
@require_safe
def teams_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The tables of the teams of a season, a line to each team."""
    season = _season(slug, number)
    if season.settings.teams is None:
        raise Http404
    return _file(
        request, season, "teams.csv", "text/csv", lambda: data.as_csv(data.TEAMS, data.teams(season))
    )


@slows_reading
@require_safe
def games_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The games of a season that everybody may see, a line to each."""
    season = _season(slug, number)
    return _file(
        request, season, "games.csv", "text/csv", lambda: data.as_csv(data.GAMES, data.games(season))
    )


@slows_reading
@require_safe
def season_json(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """All of a season."""
    season = _season(slug, number)
    return _file(request, season, "json", "application/json", lambda: data.as_json(season))


@slows_reading
@require_safe
def picture(request: HttpRequest, slug: str, number: int, level: int) -> HttpResponseBase:
    """The head of a division's table as a picture, for other sites."""
    divisions = Division.objects.filter(kind=Kind.TABLE).select_related("season__league")
    shown = get_object_or_404(divisions, season__league__slug=slug, season__number=number, level=level)
    drawn = drawn_of(shown, table_of(shown))
    etag = f'"{drawn.key}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(png_of(drawn), content_type="image/png")
    response["ETag"] = etag
    patch_cache_control(response, private=True, max_age=600)
    return response


def _season(slug: str, number: int) -> Season:
    return get_object_or_404(Season.objects.select_related("league"), league__slug=slug, number=number)


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
    """The *answer*, or that nothing has changed in *league* since it was last asked for."""
    etag = f'"{last_change(league):%Y%m%d%H%M%S%f}-{get_language()}"'
    response = get_conditional_response(request, etag=etag) or answer()
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    return response
