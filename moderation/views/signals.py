"""The view of a signal of unfair play at the desk."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.references import show_rows
from accounts.requests import PlayerRequest
from games.exceptions import Refused
from moderation.fair_play import signals
from moderation.forms.desk import VerdictForm
from moderation.models import Signal, SignalVerdict
from moderation.selectors.signals import find_beside, load_games
from moderation.views.desk import render_left_to_others, require_moderator


@require_moderator
@require_http_methods(["GET", "HEAD", "POST"])
def signal(request: PlayerRequest, pk: int) -> HttpResponse:
    """Show a signal and settle it; never for a moderator whom it is about."""
    shown = get_object_or_404(Signal.objects.select_related("subject", "other", "settled_by"), pk=pk)
    if not signals.may_look(request.user, shown):
        raise PermissionDenied
    recused = signals.find_recusal(request.user, shown)
    if recused is not None and not recused.may_act:
        return render_left_to_others(request, recused)
    seen = {"version": signals.format_version(shown)}
    form = VerdictForm(request.POST if request.method == "POST" else None, initial=seen)
    if form.is_bound and form.is_valid():
        verdict, why = SignalVerdict(form.cleaned_data["verdict"]), form.cleaned_data["why"]
        try:
            signals.settle(
                signal=pk,
                who=request.user,
                verdict=verdict,
                why=why,
                now=timezone.now(),
                expected_version=form.cleaned_data["version"],
            )
        except Refused as refused:
            form.add_error(None, refused.message)
            form.data = form.data.copy()  # type: ignore[attr-defined]
            form.data["version"] = seen["version"]  # type: ignore[index]
        else:
            messages.success(request, _("Settled."))
            return redirect("moderation:desk")
    warning = "" if recused is None else recused.warning
    show_rows([shown])
    context = {
        "signal": shown,
        "data": shown.data,
        "one": shown.subject,
        "other": shown.other,
        "rows": load_games(shown),
        "beside": find_beside(shown),
        "form": form,
        "warning": warning,
    }
    return render(request, f"moderation/signals/{shown.kind}.html", context)
