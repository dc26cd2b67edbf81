"""Signals of fair play at the desk: what was found, and what a moderator makes of it."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import PlayerRequest
from games import access
from games.exceptions import Refused
from games.fair_play import signals
from games.forms.signals import VerdictForm
from games.models import Signal, SignalVerdict
from games.pages.moderation.signals import signal_page
from games.views.desk import staff


@staff
@require_http_methods(["GET", "HEAD", "POST"])
def signal(request: PlayerRequest, pk: int) -> HttpResponse:
    """A signal, explained; never to a moderator whom it is about."""
    if not access.moderates(request.user):
        raise PermissionDenied
    found = get_object_or_404(Signal.objects.select_related("subject", "other", "settled_by"), pk=pk)
    if not signals.may_look(request.user, found):
        raise PermissionDenied
    form = VerdictForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        verdict, why = SignalVerdict(form.cleaned_data["verdict"]), form.cleaned_data["why"]
        try:
            signals.settle(signal=pk, who=request.user, verdict=verdict, why=why, now=timezone.now())
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("It is settled."))
            return redirect("games:desk")
    context = {"signal": signal_page(found), "form": form}
    return render(request, "games/moderation/signal.html", context)
