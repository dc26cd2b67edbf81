"""Views of the archive: past seasons, champions, and careers of players."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from accounts.models import Player
from accounts.requests import HtmxRequest
from leagues.models import League
from leagues.selectors.archive import (
    list_closed_numbers,
    load_career,
    load_champions,
    load_past_seasons,
    load_winners,
    summarise_career,
)
from leagues.selectors.champions import count_titles, find_longest_runs

SEASONS = 20
LEVELS = 6
"""Maximum number of divisions listed per season, from the highest."""
ENTRIES = 30


@slows_reading
@require_safe
def archive(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the past seasons of a league with their winners."""
    league = get_object_or_404(League, slug=slug)
    page = Paginator(load_past_seasons(league), SEASONS).get_page(request.GET.get("page"))
    won = load_winners(page, LEVELS)
    context = {
        "league": league,
        "page": page,
        "seasons": [
            (season, won[season.pk], season.levels - len(won[season.pk]))  # type: ignore[attr-defined]
            for season in page
        ],
    }
    return render(request, "leagues/archive.html", context)


@slows_reading
@require_safe
def champions(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the champions of a league."""
    league = get_object_or_404(League, slug=slug)
    champions = load_champions(league)
    context = {
        "league": league,
        "champions": champions,
        "titles": count_titles(champions),
        "runs": find_longest_runs(champions, list_closed_numbers(league)),
    }
    return render(request, "leagues/champions.html", context)


@slows_reading
@require_safe
def career(request: HtmxRequest, username: str) -> HttpResponse:
    """Show the seasons of a player; 404 for accounts that are closed or were never confirmed."""
    player = get_object_or_404(Player.objects.called(username))
    page = Paginator(load_career(player), ENTRIES).get_page(request.GET.get("page"))
    for entry in page:
        assert entry.division is not None
        entry.division.season = entry.season
    context = {"player": player, "page": page, "counts": summarise_career(player)}
    return render(request, "leagues/career.html", context)
