"""The page on which a substitute answers an offer."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.references import show_rows
from accounts.requests import PlayerRequest
from games.exceptions import Refused
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import OfferState, SubstituteOffer
from leagues.seasons.substitutes import TIME_TO_ANSWER, list_matches_to_take, list_opponents


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def offer(request: PlayerRequest, slug: str, key: int) -> HttpResponse:
    """Show the player an offer to play on for somebody, and take the answer."""
    joins = ("entry__season__league", "entry__player", "entry__division")
    offers = SubstituteOffer.objects.select_related(*joins)
    shown = get_object_or_404(offers, pk=key, player=request.user, entry__season__league__slug=slug)
    if request.method == "POST":
        accepts = request.POST.get("answer") == "yes"
        answer = seasons.accept_offer if accepts else seasons.decline_offer
        try:
            answer(offer_id=shown.pk, player=request.user, now=timezone.now())
        except (LeagueRefused, Refused) as refused:
            messages.error(request, refused.message)
            return redirect(shown)
        told = _("You're in. Your games start automatically; you'll find them under “My games”.")
        messages.success(request, told if accepts else _("Thanks for telling us. We'll ask somebody else."))
        return redirect("league:league", slug)
    is_open = shown.state == OfferState.ASKED and shown.entry.season.running
    matches = list_matches_to_take(shown.entry) if is_open else []
    context = {
        "league": shown.entry.season.league,
        "offer": show_rows([shown])[0],
        "open": is_open,
        "matches": matches,
        "opponents": list_opponents(shown.entry, matches),
        "until": shown.asked + TIME_TO_ANSWER,
    }
    return render(request, "leagues/offer.html", context)
