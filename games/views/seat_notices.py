"""What a player wants to be told of one game."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.requests import PlayerRequest
from games.forms.seat_notices import SeatNoticesForm
from games.models import Game
from games.tables.seat_notices import save_notice_timing
from games.views.decorators import players_only, post_only, show_refusals
from games.views.turns import require_seat


@players_only
@post_only
@show_refusals
def choose_notices(request: PlayerRequest, game: Game) -> HttpResponse:
    """Let the player be told of *game* otherwise than of all others."""
    seat = require_seat(request, game)
    form = SeatNoticesForm(request.POST)
    if form.is_valid():
        save_notice_timing(seat, form.cleaned_data["notice_timing"])
        messages.success(request, _("Your notifications about this game are saved."))
    return redirect("games:table", game.code)
