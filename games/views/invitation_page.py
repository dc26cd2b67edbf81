"""The page of an invitation, for the player or guest who was invited."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.forms import GuestForm
from accounts.limits import enforce_limit, slows_guessing
from accounts.models import Player
from accounts.proofs import find_proved_address, forget_proof, remember_proof
from accounts.provisional import sign_guest_in
from accounts.requests import HtmxRequest
from accounts.views import again_if_taken
from games import access, tables
from games.exceptions import Refused
from games.models import Answer, Invitation, Status
from games.pages.parts.player_summary import build_summaries_at_tables
from games.selectors import lists
from games.selectors.invitation_recipients import MAILED, MAILED_LINK, find_invited_address, is_mailed_link
from games.views.tables import build_agreement_context, read_asked_colour


@again_if_taken
@slows_guessing
def invitation(request: HtmxRequest, token: str) -> HttpResponse:
    """Show an invitation and take the answer; a GET answers nothing. Guests need no account to accept."""
    asked = get_object_or_404(
        Invitation.objects.select_related("game", "inviter__personal_time", "player"), token=token
    )
    if MAILED in request.GET:
        return _follow_mail(request, asked)
    if request.method != "POST":
        return _show_invitation(request, asked)
    answers = {"decline": _decline, "guest": _accept_as_guest}
    try:
        return answers.get(request.POST.get("answer", ""), _accept)(request, asked)
    except Refused as refused:
        messages.error(request, refused.message)
        if refused.code == "guest_known":
            return redirect_to_login(asked.get_absolute_url())
        return redirect("games:invitation", token)


def _follow_mail(request: HtmxRequest, asked: Invitation) -> HttpResponse:
    """Remember the address proved by the mail's link; redirect to the page, whose address proves nothing."""
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
        return redirect_to_login(asked.get_absolute_url())
    colour = read_asked_colour(request, asked.game)
    game = tables.accept(token=asked.token, player=request.user, now=timezone.now(), colour=colour)
    return redirect("games:table", game.code)


def _accept_as_guest(request: HtmxRequest, asked: Invitation) -> HttpResponse:
    """Take the seat as a guest. Only the mail's own link proves the guest's address."""
    if request.user.is_authenticated:
        return _accept(request, asked)
    form = GuestForm(request.POST)
    if not form.is_valid():
        return _show_invitation(request, asked, form)
    enforce_limit(request, "guest")
    guest, game = tables.sit_as_guest(
        token=asked.token,
        name=form.cleaned_data["username"],
        language=get_language() or settings.LANGUAGE_CODE,
        time_zone=form.cleaned_data["time_zone"],
        address=find_proved_address(request, MAILED_LINK, asked.token),
        now=timezone.now(),
        colour=read_asked_colour(request, asked.game),
    )
    forget_proof(request)
    message = _("You're playing as a guest. Create an account at any time to keep your games.")
    messages.success(request, message)
    return sign_guest_in(request, guest, game.get_absolute_url())


def _show_invitation(
    request: HtmxRequest, asked: Invitation, guest_form: GuestForm | None = None
) -> HttpResponse:
    game = asked.game
    lists.seat_players([game], request.user)
    if game.own_seat and asked.answer == Answer.ACCEPTED:
        return redirect("games:table", game.code)
    context = {
        **build_agreement_context(game),
        "asked": asked,
        "inviter": build_summaries_at_tables([(asked.inviter, game.places)], timezone.now())[0],
        "open": asked.answer == Answer.PENDING and game.status == Status.OPEN,
        "for_another": asked.player is not None
        and request.user.is_authenticated
        and asked.player != request.user,
        "may_see": access.may_see(request.user, game),
        "guest_form": guest_form or GuestForm(),
        "guests_welcome": asked.player is None and access.takes_guests(game),
    }
    return render(request, "games/invitation.html", context)
