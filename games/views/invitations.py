"""Invitations: sending them, taking them back, and the page of one for whoever was invited."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import slows_guessing
from accounts.models import Player
from accounts.proofs import forget_proof, remember_proof
from accounts.requests import HtmxRequest, PlayerRequest
from games import access, tables
from games.exceptions import Refused
from games.forms.tables import TableInviteForm
from games.models import Answer, Game, Invitation, Status
from games.pages.parts.player_summary import build_summaries_at_tables
from games.selectors import lists
from games.selectors.invitation_recipients import MAILED, MAILED_LINK, find_invited_address, is_mailed_link
from games.views.decorators import players_only, post_only, show_refusals
from games.views.setup import invite_all
from games.views.tables import build_agreement_context, read_asked_colour, show_table


@players_only
@post_only
def invite(request: PlayerRequest, game: Game) -> HttpResponse:
    """Keep seats for players or for addresses, and send them mails."""
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
def withdraw(request: PlayerRequest, game: Game, pk: int) -> HttpResponse:
    """Take an invitation back."""
    invitation = get_object_or_404(Invitation, pk=pk, game=game)
    tables.withdraw_invitation(invitation_id=invitation.pk, player=request.user, now=timezone.now())
    messages.success(request, _("The invitation is cancelled, and the seat is free again."))
    return redirect("games:table", game.code)


@slows_guessing
def invitation(request: HtmxRequest, token: str) -> HttpResponse:
    """Show what somebody is invited to. Looking answers nothing; to accept one needs an account."""
    asked = get_object_or_404(
        Invitation.objects.select_related("game", "inviter__personal_time", "player"), token=token
    )
    if MAILED in request.GET:
        return _follow_mail(request, asked)
    if request.method != "POST":
        return _show_invitation(request, asked)
    answer = _decline if request.POST.get("answer") == "decline" else _accept
    try:
        return answer(request, asked)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:invitation", token)


def _follow_mail(request: HtmxRequest, asked: Invitation) -> HttpResponse:
    """Note which address the mail has proved, and go on to the page, whose own address proves nothing."""
    address = find_invited_address(asked.token)
    if address and not request.user.is_authenticated and is_mailed_link(asked.token, request.GET[MAILED]):
        remember_proof(request, MAILED_LINK, asked.token, address)
    return redirect("games:invitation", asked.token)


def _decline(request: HtmxRequest, asked: Invitation) -> HttpResponse:
    player: Player | None = request.user if request.user.is_authenticated else None
    tables.decline(token=asked.token, player=player, now=timezone.now())
    forget_proof(request)
    messages.success(request, _("You've declined, and the seat is free for someone else."))
    return redirect("games:mine" if player else "games:home")


def _accept(request: HtmxRequest, asked: Invitation) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("games:invitation", args=[asked.token]))
    colour = read_asked_colour(request, asked.game)
    game = tables.accept(token=asked.token, player=request.user, now=timezone.now(), colour=colour)
    return redirect("games:table", game.code)


def _show_invitation(request: HtmxRequest, asked: Invitation) -> HttpResponse:
    game = asked.game
    (line,) = lists.load_game_lines([game], request.user, timezone.now())
    if line.mine and asked.answer == Answer.ACCEPTED:
        return redirect("games:table", game.code)
    context = {
        **build_agreement_context(game, line),
        "asked": asked,
        "inviter": build_summaries_at_tables([(asked.inviter, game.places)], timezone.now())[0],
        "open": asked.answer == Answer.PENDING and game.status == Status.OPEN,
        "for_another": asked.player is not None
        and request.user.is_authenticated
        and asked.player != request.user,
        "may_see": access.may_see(request.user, game),
    }
    return render(request, "games/invitation.html", context)
