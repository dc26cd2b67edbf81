"""Views of seats that seek a substitute: their list, taking one over, and giving time."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.requests import HtmxRequest, PlayerRequest
from games import access, play
from games.forms.board import GiveForm
from games.models import Game
from games.pages.parts.offered_seat import list_offered_seats
from games.selectors.seats import find_offered_seats
from games.views.decorators import players_only, post_only, show_refusals
from games.views.turns import require_seat

A_PAGE = 20


@require_safe
def seats(request: HtmxRequest) -> HttpResponse:
    """List the seats of public games that seek a substitute."""
    offered = find_offered_seats(request.user).select_related("game")
    page = Paginator(offered, A_PAGE).get_page(request.GET.get("page"))
    offers = list_offered_seats(page, request.user)
    return render(request, "games/seats.html", {"page": page, "offers": offers})


@players_only
@show_refusals
def take_over(request: PlayerRequest, game: Game, seat: int) -> HttpResponse:
    """Take over a seat, after a page that shows it."""
    row = game.seats.select_related("game").filter(index=seat).first()
    if row is None:
        raise Http404
    if request.method == "POST":
        play.take_over(game_id=game.pk, seat=seat, player=request.user, now=timezone.now())
        messages.success(request, _("The seat is yours. We'll tell you when it's your turn."))
        return redirect("games:table", game.code)
    if not row.offered or not access.may_take_over(request.user, game, game.seats.all()):
        return redirect("games:table", game.code)
    ((offered, barred),) = list_offered_seats([row], request.user)
    return render(request, "games/take_over.html", {"seat": offered, "barred": barred})


@players_only
@post_only
@show_refusals
def give(request: PlayerRequest, game: Game) -> HttpResponse:
    """Give days to an opponent, or to all."""
    form = GiveForm(request.POST)
    if form.is_valid():
        mine = require_seat(request, game)
        play.give_days(game_id=game.pk, seat=mine.index, now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("You've given the time."))
    else:
        messages.error(request, _("You can give one to seven days."))
    return redirect("games:table", game.code)
