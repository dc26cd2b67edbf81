"""Ratings: who leads, how somebody came to their number, and whether the numbers tell the truth."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from accounts.models import Player
from accounts.requests import HtmxRequest
from leagues.models import Pool
from leagues.pages import calibration as calibrated
from leagues.pages import history as histories
from leagues.pages import leaderboard as leaders


@slows_reading
@require_safe
def leaderboard(request: HtmxRequest) -> HttpResponse:
    """The strongest players of a pool, page by page."""
    board = leaders.board_of(_pool(request), request.user, timezone.now(), request.GET.get("page"))
    return render(request, "leagues/leaderboard.html", {"board": board, "page": board.page})


@slows_reading
@require_safe
def history(request: HtmxRequest, username: str) -> HttpResponse:
    """How the rating of somebody went. Accounts that are closed or were never confirmed have no page."""
    player = get_object_or_404(Player.objects.called(username))
    shown = histories.history_of(player, _pool(request), request.user, timezone.now())
    return render(request, "leagues/history.html", {"player": player, "history": shown})


@slows_reading
@require_safe
def calibration(request: HttpRequest) -> HttpResponse:
    """Whether what ratings let expect came true."""
    return render(request, "leagues/calibration.html", {"calibration": calibrated.calibration_page()})


def _pool(request: HttpRequest) -> Pool:
    """The pool that the address names; duels where it names none."""
    asked = request.GET.get("pool", "")
    return Pool(asked) if asked in Pool.values else Pool.DUEL
