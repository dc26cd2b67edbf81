"""The history of a player's rating."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from accounts.models import Player
from accounts.requests import HtmxRequest
from games.pages.rating_history import build_rating_history_page
from ratings.views import parse_pool


@slows_reading
@require_safe
def rating_history(request: HtmxRequest, username: str) -> HttpResponse:
    """Show the history of a player's rating. Closed or unconfirmed accounts have none."""
    player = get_object_or_404(Player.objects.called(username))
    shown = build_rating_history_page(player, parse_pool(request), request.user, timezone.now())
    return render(request, "games/rating_history.html", {"player": player, "history": shown})
