"""Proposals of players to their table, and the answers of the others."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.requests import PlayerRequest
from games import play
from games.exceptions import Refused, TooMany
from games.forms.board import PauseOfferForm
from games.models import Ending, Game, Proposal, Status
from games.pages.offers import build_context
from games.pages.scene import Scene
from games.views.confirmation import ConfirmationQuestion, confirmation_required
from games.views.decorators import players_only, post_only, show_refusals
from games.views.turns import require_seat

ANSWERS = {"agree": play.agree, "decline": play.decline}


@players_only
@show_refusals
def offers(request: PlayerRequest, game: Game) -> HttpResponse:
    """Show the possible proposals, or submit one."""
    seat = require_seat(request, game)
    if game.status != Status.PLAYING or not seat.played_by_person:
        return redirect("games:table", game.code)
    form = PauseOfferForm()
    if request.method == "POST":
        kind = request.POST.get("kind", "")
        if kind not in Proposal.values:
            raise Http404
        form = PauseOfferForm(request.POST) if kind == Proposal.PAUSE else form
        if kind != Proposal.PAUSE or form.is_valid():
            return _propose(request, game, seat.index, Proposal(kind), form)
        messages.error(request, form.complaint)
    context = {**build_context(Scene.of(game, request.user)), "form": form}
    return render(request, "games/board_offers.html", context)


def _propose(
    request: PlayerRequest, game: Game, seat: int, kind: Proposal, form: PauseOfferForm
) -> HttpResponse:
    until = form.end if kind == Proposal.PAUSE else None
    try:
        game = play.propose(game_id=game.pk, seat=seat, kind=kind, now=timezone.now(), until=until)
    except TooMany:
        raise
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:offers", game.code)
    asked = game.offers.filter(kind=kind, seat=seat, answered=None).exists()
    messages.success(request, _("We've asked the others.") if asked else _("Done: there was nobody to ask."))
    return redirect("games:table", game.code)


def _ask_before_agreeing(game: Game, pk: int, how: str) -> ConfirmationQuestion | None:
    if how != "agree" or not game.offers.filter(pk=pk, kind=Proposal.END).exists():
        return None
    return ConfirmationQuestion(
        _("End {name} early?").format(name=game.name),
        _("Once everyone has agreed, the game ends as it stands: it's unrated, and nobody wins or loses."),
        _("Yes, I agree"),
        _("No, play on"),
        game.get_absolute_url(),
    )


@players_only
@post_only
@confirmation_required(_ask_before_agreeing)
@show_refusals
def answer(request: PlayerRequest, game: Game, pk: int, how: str) -> HttpResponse:
    """Agree to a proposal, decline it, or withdraw it."""
    if how not in ANSWERS:
        raise Http404
    offer = get_object_or_404(game.offers, pk=pk)
    after = ANSWERS[how](offer_id=offer.pk, seat=require_seat(request, game).index, now=timezone.now())
    if after.ending == Ending.AGREED:
        messages.success(request, _("Everyone agreed: the game is over."))
    return redirect("games:table", game.code)
