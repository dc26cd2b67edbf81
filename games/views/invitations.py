"""Views that send invitations, by mail or as a link, and withdraw them."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.requests import PlayerRequest
from games import tables
from games.forms.tables import TableInviteForm
from games.models import Game, Invitation
from games.views.decorators import players_only, post_only, show_refusals
from games.views.setup import invite_all
from games.views.tables import show_table


@players_only
@post_only
def invite(request: PlayerRequest, game: Game) -> HttpResponse:
    """Keep seats for players or addresses, and mail them."""
    form = TableInviteForm(request.POST)
    if not form.is_valid():
        return show_table(request, game, form)
    if invite_all(request, game, form.cleaned_data["who"], form.cleaned_data["greeting"]):
        response = show_table(request, game, form)
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        return response
    return redirect("games:table", game.code)


@players_only
@post_only
@show_refusals
def invite_by_link(request: PlayerRequest, game: Game) -> HttpResponse:
    """Keep a seat for the first person to open a link."""
    tables.invite_by_link(game_id=game.pk, inviter=request.user, now=timezone.now())
    messages.success(request, _("Here's the link. The first person to open it can take the seat."))
    return redirect("games:table", game.code)


@players_only
@post_only
@show_refusals
def withdraw(request: PlayerRequest, game: Game, pk: int) -> HttpResponse:
    """Withdraw an invitation."""
    invitation = get_object_or_404(Invitation, pk=pk, game=game)
    tables.withdraw_invitation(invitation_id=invitation.pk, player=request.user, now=timezone.now())
    messages.success(request, _("The invitation is cancelled, and the seat is free again."))
    return redirect("games:table", game.code)
