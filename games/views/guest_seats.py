"""The page at which an account takes over the seats of a guest, who is the same person."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.limits import slows_guessing
from games.tables import guest_seats


@slows_guessing
def take_guest_seats(request: HttpRequest, token: str) -> HttpResponse:
    """Show the games of the guest of *token*, and hand them over to its account, which must be signed in."""
    handover = guest_seats.read_token(token)
    if handover is None:
        raise Http404
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    mine = request.user == handover.account
    if request.method != "POST" or not mine:
        games = guest_seats.list_games(handover.guest) if mine else []
        context = {"handover": handover, "games": games, "mine": mine}
        return render(request, "games/guest_seats.html", context)
    result = guest_seats.hand_over_seats(handover, now=timezone.now())
    number = len(result.taken)
    if number:
        message = ngettext("{n} game is yours now.", "{n} games are yours now.", number)
        messages.success(request, message.format(n=number))
    for game, why in result.refused:
        messages.error(request, _("{game}: {why}").format(game=game.name, why=why))
    return redirect("games:mine")
