"""Pages of ratings: leaderboards and calibration."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from accounts.requests import HtmxRequest
from ratings.models import Pool
from ratings.pages import calibration as calibrated
from ratings.pages import leaderboard as leaders


@slows_reading
@require_safe
def leaderboard(request: HtmxRequest) -> HttpResponse:
    """Show the strongest players of a pool, page by page."""
    board = leaders.build_leaderboard(
        parse_pool(request), request.user, timezone.now(), request.GET.get("page")
    )
    return render(request, "ratings/leaderboard.html", {"board": board, "page": board.page})


@slows_reading
@require_safe
def calibration(request: HttpRequest) -> HttpResponse:
    """Show expectations against results."""
    return render(request, "ratings/calibration.html", {"calibration": calibrated.build_calibration_page()})


def parse_pool(request: HttpRequest) -> Pool:
    """Return the pool in the query string; duels if there is none."""
    asked = request.GET.get("pool", "")
    return Pool(asked) if asked in Pool.values else Pool.DUEL
