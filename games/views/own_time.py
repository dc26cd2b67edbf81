"""A player's own time: holidays, rest hours and weekend, and an emergency (CLOCK-4, 22)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Player
from accounts.requests import PlayerRequest
from games import play
from games.exceptions import Refused
from games.forms.own_time import EmergencyForm, HolidayForm, HoursForm
from games.pages.own_time import build_context

View = Callable[..., HttpResponse]


def told_here(view: View) -> View:
    """Show a service's refusal as a message on the page of the player's own time."""

    @wraps(view)
    def respond(request: PlayerRequest, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("games:time")

    return respond


@login_required
@require_safe
def own_time(request: PlayerRequest) -> HttpResponse:
    """Show the calendar and its forms."""
    return _show(request)


@login_required
@require_POST
def hours(request: PlayerRequest) -> HttpResponse:
    """Save rest hours, weekend and time zone, which apply from the next turn (CLOCK-6)."""
    form = HoursForm(request.POST, instance=Player.objects.get(pk=request.user.pk))
    if not form.is_valid():
        return _show(request, hours=form)
    form.save()
    messages.success(request, _("Your hours are saved. They apply from your next turn."))
    return redirect("games:time")


@login_required
@require_POST
def enter_holiday(request: PlayerRequest) -> HttpResponse:
    """Enter a holiday, from now or later."""
    now = timezone.now()
    form = HolidayForm(request.POST, now=now)
    if form.is_valid():
        piece = form.piece
        try:
            play.enter_holiday(player=request.user, begin=piece.begin, end=piece.end, now=now)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(
                request, _("Your holiday is saved, and the deadlines of your games move with it.")
            )
            return redirect("games:time")
    return _show(request, holiday=form)


@login_required
@require_POST
@told_here
def cancel_holiday(request: PlayerRequest, pk: int) -> HttpResponse:
    """Cancel the rest of a holiday."""
    left = play.cancel_holiday(player=request.user, holiday_id=pk, now=timezone.now())
    if left is None:
        messages.success(request, _("Your holiday is cancelled."))
    else:
        end = date_format(timezone.localtime(left.end), "SHORT_DATETIME_FORMAT")
        messages.success(request, _("Your holiday ends on {end}.").format(end=end))
    return redirect("games:time")


@login_required
@require_POST
@told_here
def begin_emergency(request: PlayerRequest) -> HttpResponse:
    """Stop all games of the player."""
    form = EmergencyForm(request.POST)
    days = form.cleaned_data["days"] if form.is_valid() else 0
    play.begin_emergency(player=request.user, days=days, now=timezone.now())
    messages.success(request, _("Your games are stopped. All the best."))
    return redirect("games:time")


@login_required
@require_POST
@told_here
def end_emergency(request: PlayerRequest) -> HttpResponse:
    """End an emergency, so that the games go on."""
    play.end_emergency(player=request.user, now=timezone.now())
    messages.success(request, _("Welcome back. Your games go on, and everyone has at least twelve hours."))
    return redirect("games:time")


def _show(
    request: PlayerRequest, *, hours: HoursForm | None = None, holiday: HolidayForm | None = None
) -> HttpResponse:
    player, now = Player.objects.select_related("personal_time").get(pk=request.user.pk), timezone.now()
    context = {
        **build_context(player, now),
        "player": player,
        "hours": hours or HoursForm(instance=player),
        "holiday": holiday or HolidayForm(now=now),
        "emergency": EmergencyForm(),
    }
    return render(request, "games/own_time.html", context)
