"""The pages of a player: their games, results and opponents, and the history of their rating."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from accounts.requests import HtmxRequest
from games import hooks
from games.pages.parts.player_summary import build_player_summaries
from games.selectors import archive, lists
from games.selectors import people as people_selectors
from games.selectors.contests import load_ruled_games
from games.selectors.rating_history import load_course, load_latest_changes, load_ratings
from games.views.people import load_player
from ratings.charts import draw_course, draw_history
from ratings.models import Pool
from ratings.views import parse_pool

LATEST = 10
"""Number of finished games on the page."""


@slows_reading
@require_safe
def player(request: HtmxRequest, username: str) -> HttpResponse:
    """Show a player's page. Closed or unconfirmed accounts have none."""
    shown, visitor, now = load_player(username), request.user, timezone.now()
    other = visitor if visitor.is_authenticated and visitor.pk != shown.pk else None
    page = lists.load_running_games(visitor, shown, request.GET)
    over = archive.load_finished_games_of([shown], visitor, {}, LATEST)
    lines = lists.load_game_lines([*page, *over], visitor, now)
    ((_player, known),) = build_player_summaries([shown], now=now)[0]
    ruled = load_ruled_games(shown)
    running, finished = lines[: len(page)], lines[len(page) :]
    context = {
        "player": shown,
        "known": known,
        "course": draw_course(load_course(shown)) if known.ratings else "",
        "attitude": people_selectors.load_attitude(other, shown) if other and not shown.is_bot else None,
        "between": people_selectors.load_encounter(other, shown, ruled) if other else None,
        "history": people_selectors.load_history(shown, visitor, ruled),
        "page": page,
        "running": running,
        "finished": finished,
        "form": [
            seat
            for line in reversed(finished)
            for seat in line.seats
            if seat.player_id == shown.pk and seat.counted_result
        ],
        "elsewhere": [find_link(shown) for find_link in hooks.PLAYER_LINKS],
    }
    return render(request, "games/player.html", context)


@slows_reading
@require_safe
def rating_history(request: HtmxRequest, username: str) -> HttpResponse:
    """Show the history of a player's rating. Closed or unconfirmed accounts have none."""
    shown, pool = load_player(username), parse_pool(request)
    rating = load_ratings(shown).get(pool)
    changes = load_latest_changes(shown, pool, request.user) if rating else []
    context = {
        "player": shown,
        "pool": pool,
        "pools": list(Pool),
        "rating": rating,
        "strength": rating and rating.shown_at(timezone.now()),
        "changes": changes[::-1],
        "chart": draw_history(changes),
    }
    return render(request, "games/rating_history.html", context)
