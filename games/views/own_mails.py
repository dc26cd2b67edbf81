"""The page of the player's mails, and the end of a pause."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import mail_pauses
from accounts.requests import PlayerRequest
from games.models.notice import KEPT
from games.pages.own_mails import build_mail_rows
from games.selectors.own_notices import load_own_mails

A_PAGE = 20


@login_required
@require_safe
def own_mails(request: PlayerRequest) -> HttpResponse:
    """List the recent mails to the player, and their delivery."""
    page = load_own_mails(request.user, request.GET, A_PAGE, timezone.now())
    context = {"page": page, "rows": build_mail_rows(page, request.user), "days": KEPT.days}
    return render(request, "games/own_mails.html", context)


@login_required
@require_POST
def resume_mails(request: PlayerRequest) -> HttpResponse:
    """Resume mails to the player, whose address was paused."""
    mail_pauses.lift(request.user)
    messages.success(request, _("We're sending you mails again."))
    return redirect("games:mails")
