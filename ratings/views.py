"""Pages of ratings: leaderboards and calibration."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from accounts.requests import HtmxRequest
from ratings.calibration_months import load_calibration
from ratings.charts import draw_calibration
from ratings.leaders import count_leaders, find_leaders, find_place
from ratings.models import Pool

A_PAGE = 50


@slows_reading
@require_safe
def leaderboard(request: HtmxRequest) -> HttpResponse:
    """Show the strongest players of a pool, page by page."""
    pool, visitor, now = parse_pool(request), request.user, timezone.now()
    pages = Paginator(find_leaders(pool, now), A_PAGE)
    pages.count = count_leaders(pool, now)  # else each page would count them all
    page = pages.get_page(request.GET.get("page"))
    here = any(rating.player_id == visitor.pk for rating in page)
    place = None if here else find_place(visitor, pool, now)
    context = {
        "pool": pool,
        "pools": list(Pool),
        "page": page,
        "leaders": [(rating, rating.shown_at(now)) for rating in page],
        "own_place": place,  # if it is on another page
        "own_page": place and (place - 1) // A_PAGE + 1,
    }
    return render(request, "ratings/leaderboard.html", context)


@slows_reading
@require_safe
def calibration(request: HttpRequest) -> HttpResponse:
    """Show expectations against results."""
    known = load_calibration()
    context = {
        "calibration": known,
        "tenths": list(zip(range(0, 100, 10), range(10, 101, 10), known.tenths, strict=True)),
        "chart": draw_calibration(known),
    }
    return render(request, "ratings/calibration.html", context)


def parse_pool(request: HttpRequest) -> Pool:
    """Return the pool in the query string; duels if there is none."""
    asked = request.GET.get("pool", "")
    return Pool(asked) if asked in Pool.values else Pool.DUEL
