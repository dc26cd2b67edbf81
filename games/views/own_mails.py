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
from games.mail_in.unused_replies import list_unused_replies
from games.models.inbound_mail import MAILS_KEPT
from games.models.notice import KEPT
from games.selectors.own_notices import link_notices, load_own_mails

A_PAGE = 20


@login_required
@require_safe
def own_mails(request: PlayerRequest) -> HttpResponse:
    """List the recent mails to the player, and their delivery; above them replies that had no effect."""
    page = load_own_mails(request.user, request.GET, A_PAGE, timezone.now())
    links = link_notices(page.rows, request.user)
    context = {
        "page": page,
        "mails": [(notice, links.get(notice.pk)) for notice in page],
        "unused": list_unused_replies(request.user),
        "days": KEPT.days,
        "days_of_replies": MAILS_KEPT.days,
    }
    return render(request, "games/own_mails.html", context)


@login_required
@require_POST
def resume_mails(request: PlayerRequest) -> HttpResponse:
    """Resume mails to the player, whose address was paused."""
    mail_pauses.lift(request.user)
    messages.success(request, _("We're sending you emails again."))
    return redirect("games:mails")
