"""People, and what one follows."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.requests import PlayerRequest
from games.models import Game
from games.tables import follows
from games.views.decorators import players_only, post_only, refusals_told


@players_only
@post_only
@refusals_told
def follow_game(request: PlayerRequest, game: Game) -> HttpResponse:
    """Follow a game of others, or no longer."""
    if request.POST.get("follow") == "no":
        follows.unfollow_game(game=game, player=request.user)
        messages.success(request, _("You follow this game no longer."))
    else:
        follows.follow_game(game=game, player=request.user, now=timezone.now())
        messages.success(request, _("You follow this game. You find it in your list of games."))
    return redirect("games:table", game.code)
