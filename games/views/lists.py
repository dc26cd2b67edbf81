"""Lists of games: mine, the lobby, the archive."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.cache import caches
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.limits import slows_reading
from accounts.requests import HtmxRequest, PlayerRequest
from games.forms.lobby import LobbyForm
from games.forms.my_games import MyGamesForm
from games.forms.tables import ArchiveForm
from games.models import Game
from games.pages.parts.player_summary import build_summaries_at_tables
from games.pages.parts.rows import build_grouped_rows, list_lost_seats
from games.selectors import archive as archived
from games.selectors import lists, waiting
from games.selectors.my_games import load_my_games, load_parts
from games.selectors.paging import KeyPage
from games.views.decorators import settle_seen
from games.views.parts import render_page_or_part, vary_by_htmx

A_PAGE = 20


@require_safe
def own_games(request: HtmxRequest) -> HttpResponse:
    """List the player's games and invitations, most urgent first. The page polls for news since the stamp
    that it carries."""
    if not request.user.is_authenticated:
        return HttpResponseClientRefresh() if request.htmx else redirect_to_login(request.path)
    now = timezone.now()
    form = MyGamesForm(request.GET)
    wanted = form.wanted
    parts = load_parts(request.user, now, wanted)
    if request.htmx and request.GET.get("since") == parts.stamp:
        return vary_by_htmx(HttpResponse(status=HTTPStatus.NO_CONTENT))
    games = load_my_games(request.user, now, request.GET.get("page"), wanted, parts)
    if settle_seen([*games.turn, *games.waiting, *games.lost], now):
        games = load_my_games(request.user, now, request.GET.get("page"), wanted)
    context = {
        "form": form,
        "wanted": wanted,
        "mine": games,
        "lost": list_lost_seats(games.lost, request.user, now),
        "rows": build_grouped_rows(now, turn=games.turn, waiting=games.waiting, followed=games.followed),
        "page": games.page,
        "stamp": parts.stamp,
        "games_waiting": games.turns,
    }
    return render_page_or_part(request, "games/mine.html", "games", context)


@login_required
@require_safe
def next_game(request: PlayerRequest) -> HttpResponse:
    """Redirect to the next game in which it is the player's turn, cyclically; to the list if there is
    none."""
    games = waiting.load_waiting_games(request.user)
    after = request.GET.get("after", "")
    following = waiting.find_following(games, after)
    if following is None:
        messages.info(request, _("No other games need you.") if games else _("No games need you."))
    return redirect("games:table", (following or games[0]).code) if games else redirect("games:mine")


@slows_reading
@require_safe
def lobby(request: HtmxRequest) -> HttpResponse:
    """List the tables with free seats. *drop* in the query string removes a filter."""
    if dropped := request.GET.get("drop"):
        kept = request.GET.copy()
        for name in ("drop", dropped):
            kept.pop(name, None)
        return redirect(f"{request.path}?{kept.urlencode()}")
    form = LobbyForm(request.GET)
    shown: Any
    if request.user.is_authenticated or request.GET:
        shown = _list_open_tables(request, form)
    else:
        key = f"lobby:{get_language()}"
        shown = caches["process"].get_or_set(
            key, lambda: _list_open_tables(request, form), settings.LOBBY_SECONDS
        )
    return render_page_or_part(
        request, "games/lobby.html", "tables", {"form": form, "part": request.htmx, **shown}
    )


def _list_open_tables(request: HtmxRequest, form: LobbyForm) -> dict[str, Any]:
    """Return a page of the tables that match *form*, with their hosts, and what bars the visitor."""
    keys = form.list_table_keys(lists.find_open_tables(request.user))
    page = Paginator(keys, A_PAGE).get_page(request.GET.get("page"))
    games = lists.seat_players(lists.load_tables(list(page)), request.user)
    hosts = [(game.host_seat.player if game.host_seat else None, game.places) for game in games]
    known = build_summaries_at_tables(hosts, timezone.now())
    return {
        "page": page,
        "cards": list(zip(games, known, lists.list_unmet_requirements(request.user, games), strict=True)),
    }


@slows_reading
@require_safe
def archive(request: HtmxRequest) -> HttpResponse:
    """List finished games: all public ones, or those of certain players."""
    form = ArchiveForm(request.GET)
    if not form.is_valid():
        page: KeyPage[Game] = KeyPage([], "", "")
    elif players := [who for who in form.cleaned_data.values() if who]:
        page = archived.load_finished_games_of(players, request.user, request.GET, A_PAGE)
    else:
        page = archived.load_finished_games(request.user, request.GET, A_PAGE)
    games = lists.seat_players(page, request.user)
    return render(request, "games/archive.html", {"form": form, "page": page, "games": games})
