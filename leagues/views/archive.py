"""Views of the archive: past seasons, champions, and careers of players."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from accounts.models import Player
from accounts.requests import HtmxRequest
from leagues.models import League
from leagues.pages import archive as pages
from leagues.pages.career import build_career


@slows_reading
@require_safe
def archive(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the past seasons of a league with their winners."""
    league = get_object_or_404(League, slug=slug)
    shown = pages.build_archive(league, request.GET.get("page"))
    return render(request, "leagues/archive.html", {"league": league, "archive": shown, "page": shown.page})


@slows_reading
@require_safe
def champions(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the champions of a league."""
    league = get_object_or_404(League, slug=slug)
    context = {"league": league, "champions": pages.build_champions(league)}
    return render(request, "leagues/champions.html", context)


@slows_reading
@require_safe
def career(request: HtmxRequest, username: str) -> HttpResponse:
    """Show the seasons of a player; 404 for accounts that are closed or were never confirmed."""
    player = get_object_or_404(Player.objects.called(username))
    shown = build_career(player, request.GET.get("page"))
    return render(request, "leagues/career.html", {"player": player, "career": shown, "page": shown.page})
