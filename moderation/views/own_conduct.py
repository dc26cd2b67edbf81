"""Views of a player's own sanctions: reading, acknowledging and appealing."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import PlayerRequest
from games.exceptions import Refused
from moderation.acts import sanctions
from moderation.forms.sanctions import AppealForm
from moderation.selectors.own_sanctions import load_own_sanctions


@login_required
@require_safe
def conduct(request: PlayerRequest) -> HttpResponse:
    """Show the player's warnings, mutes and suspensions."""
    now = timezone.now()
    rows = []
    for sanction in load_own_sanctions(request.user):
        until = sanction.begun + sanctions.APPEAL_WITHIN if sanctions.may_appeal(sanction, now) else None
        rows.append((sanction, sanction.in_force(now), until))
    context = {"sanctions": rows, "now": now, "form": AppealForm()}
    return render(request, "moderation/conduct.html", context)


@login_required
@require_POST
def acknowledge(request: PlayerRequest, pk: int) -> HttpResponse:
    """Acknowledge a sanction."""
    sanctions.acknowledge(sanction_id=pk, player=request.user, now=timezone.now())
    return redirect("moderation:conduct")


@login_required
@require_POST
def appeal(request: PlayerRequest, pk: int) -> HttpResponse:
    """Appeal against a sanction; another moderator will review it."""
    words = AppealForm(request.POST).read_words()
    try:
        sanctions.appeal(sanction_id=pk, player=request.user, words=words, now=timezone.now())
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("Your appeal is with the moderators. We'll tell you what they answer."))
    return redirect("moderation:conduct")
