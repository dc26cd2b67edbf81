"""Views about players: search, following, and blocking."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts.models import Player
from accounts.requests import PlayerRequest
from games.conduct import blocks
from games.exceptions import Refused
from games.forms.people import PeopleForm
from games.models import Game
from games.pages.parts.player_summary import build_player_summaries
from games.selectors import people as people_selectors
from games.selectors.paging import KeyPage
from games.tables import follows
from games.views.decorators import players_only, post_only, show_refusals
from games.views.parts import render_page_or_part

A_PAGE = 20


@login_required
@require_safe
def people(request: PlayerRequest) -> HttpResponse:
    """List the players whose name begins with the query; without one, those followed or met recently."""
    form = PeopleForm(request.GET if "q" in request.GET else None)
    too_many = form.is_bound and not limits.allow_search(request, "search_people")
    now = timezone.now()
    page: KeyPage[Player] | None = None
    if form.is_bound and not too_many and form.is_valid():
        page = people_selectors.search_people(form.cleaned_data["q"], request.GET, A_PAGE)
    context: dict[str, Any] = {"form": form, "page": page, "too_many": too_many}
    if page:
        (context["called"],) = build_player_summaries(page, now=now)
    else:
        followed = people_selectors.annotate_present_games(people_selectors.find_followed(request.user))
        lately = people_selectors.load_recent_companions(request.user)
        context["followed"], context["lately"] = build_player_summaries(followed, lately, now=now)
    response = render_page_or_part(request, "games/people.html", "found", context)
    if too_many:
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
    return response


@login_required
@require_POST
def follow_player(request: PlayerRequest, username: str) -> HttpResponse:
    """Follow or unfollow a player."""
    followed = load_player(username)
    if request.POST.get("follow") == "no":
        follows.unfollow_player(followed=followed, player=request.user)
        messages.success(request, _("You no longer follow {name}.").format(name=followed.username))
    else:
        try:
            follows.follow_player(followed=followed, player=request.user, now=timezone.now())
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            message = _("You now follow {name}. Everyone you follow is listed under “Players”.")
            messages.success(request, message.format(name=followed.username))
    return redirect("games:player", followed.username)


@login_required
@require_POST
def block(request: PlayerRequest, username: str) -> HttpResponse:
    """Block or unblock a player."""
    other = load_player(username)
    if request.POST.get("block") == "no":
        blocks.unblock(blocked=other, player=request.user)
        messages.success(request, _("{name} is no longer blocked.").format(name=other.username))
    else:
        try:
            blocks.block(blocked=other, player=request.user, now=timezone.now())
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, _("{name} is blocked. We won't tell them.").format(name=other.username))
    return redirect("games:player", other.username)


@login_required
@require_safe
def blocked_players(request: PlayerRequest) -> HttpResponse:
    """List the players whom the player has blocked."""
    return render(request, "games/blocked.html", {"blocked": blocks.list_blocked_players(request.user)})


@players_only
@post_only
@show_refusals
def follow_game(request: PlayerRequest, game: Game) -> HttpResponse:
    """Follow or unfollow a game."""
    if request.POST.get("follow") == "no":
        follows.unfollow_game(game=game, player=request.user)
        messages.success(request, _("You no longer follow this game."))
    else:
        follows.follow_game(game=game, player=request.user, now=timezone.now())
        messages.success(request, _("You now follow this game. You'll find it under “My games”."))
    return redirect("games:table", game.code)


def load_player(username: str) -> Player:
    """Return the player of that name. Closed or unconfirmed accounts have no page."""
    return get_object_or_404(Player.objects.called(username).select_related("personal_time"))
