"""Views that set up a table, or a game against the house bot, keep a table open, or cancel it."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget

from accounts.requests import HtmxRequest, PlayerRequest
from games import tables
from games.exceptions import Refused, TooMany
from games.forms import clocks
from games.forms.rule_sets import spread_out_preset
from games.forms.tables import Invitee, TableForm, fill_free_seats_with_bots, limit_to_possible
from games.models import Game, Status
from games.selectors import lists
from games.tables.presets import PRESETS
from games.views.confirmation import ConfirmationQuestion, confirmation_required
from games.views.decorators import players_only, post_only, render_too_many, show_refusals


@login_required
def new_table(request: PlayerRequest) -> HttpResponse:
    host = request.user
    if request.method != "POST":
        form = TableForm(host=host, initial=_wishes(request))
        return render(request, "games/new.html", {"form": form})
    sent = request.POST.dict()
    form = TableForm(fill_free_seats_with_bots(sent) if "fill" in sent else sent, host=host)
    status = HTTPStatus.OK
    if form.is_valid() and not form.unheeded:
        try:
            game, is_new = tables.set_up(host=host, settings=form.settings, now=timezone.now())
        except Refused as refused:
            form.add_error(form.AT_FIELD.get(refused.code), refused.message)
            if isinstance(refused, TooMany):
                status = HTTPStatus.TOO_MANY_REQUESTS
        else:
            if is_new:
                invite_all(request, game, form.invitees, form.cleaned_data["greeting"])
            return redirect("games:table", game.code)
    return render(request, "games/new.html", {"form": form}, status=status)


@login_required
def spread_out(request: PlayerRequest) -> HttpResponse:
    """Render the form with the details of the chosen presets of rules and clock.

    htmx posts after every change: it gets the whole form, or for an unchanged preset only the parts that
    changed. Settings that became impossible, such as more bots than seats, are lowered to the maximum.
    """
    if request.method != "POST":
        return redirect("games:new")
    sent = request.POST.dict()
    chosen = limit_to_possible(sent)
    preset = chosen.get("preset", "")
    if request.htmx and preset == chosen.get("filled"):
        form = TableForm(chosen, host=request.user)
        other_clock = chosen.get("clock") != chosen.get("clock_filled")
        context = {"form": form, "lowered": chosen != sent, "other_clock": other_clock}
        return render(request, "games/new.html#changed", context)
    form = TableForm(chosen, host=request.user)
    if preset in PRESETS:
        form = TableForm(
            host=request.user, initial={**clocks.fill_in_clock(chosen), **spread_out_preset(preset)}
        )
    response = render(request, f"games/new.html{'#setup' if request.htmx else ''}", {"form": form})
    return reswap(retarget(response, "#setup"), "outerHTML") if request.htmx else response


def _wishes(request: HtmxRequest) -> dict[str, Any]:
    """Return the initial values of the form, from its link."""
    wishes: dict[str, Any] = {"name": tables.choose_town_name()}
    if request.GET.get("invite"):
        wishes |= {"invite": request.GET["invite"]}
    return wishes


def play_bot(request: PlayerRequest) -> HttpResponse:
    """Start a game against the house bot. Needs a POST."""
    if request.method != "POST" or not request.user.is_authenticated:
        return redirect("games:new")
    try:
        game = tables.play_the_bot(host=request.user, now=timezone.now())
    except TooMany as refused:
        return render_too_many(request, refused, "games:mine")
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:mine")
    return redirect("games:table", game.code)


def invite_all(request: PlayerRequest, game: Game, whom: list[Invitee], greeting: str) -> bool:
    """Invite players and addresses, with a message on each. Return whether a limit was exceeded."""
    too_much = False
    now = timezone.now()
    for who in whom:
        name = who.player.username if who.player else who.address
        try:
            tables.invite(game_id=game.pk, inviter=request.user, now=now, greeting=greeting, **who._asdict())
        except Refused as refused:
            messages.error(request, f"{name}: {refused.message}")
            too_much = too_much or isinstance(refused, TooMany)
        else:
            messages.success(request, _("{name} has been invited.").format(name=name))
    return too_much


@players_only
@show_refusals
def keep(request: PlayerRequest, game: Game) -> HttpResponse:
    """Keep a table open that expires soon, after confirmation."""
    if request.method == "POST":
        tables.keep_open(game_id=game.pk, player=request.user, now=timezone.now())
        messages.success(request, _("The table stays open for another four weeks."))
        return redirect("games:table", game.code)
    if game.status != Status.OPEN or game.host_id != request.user.pk:
        return redirect("games:table", game.code)
    lists.seat_players([game], request.user)
    return render(request, "games/keep.html", {"game": game})


def _ask_before_cancelling(game: Game) -> ConfirmationQuestion:
    return ConfirmationQuestion(
        _("Cancel the table {name}?").format(name=game.name),
        _("The table closes, and all its invitations with it."),
        _("Yes, cancel the table"),
        _("No, keep it"),
        game.get_absolute_url(),
    )


@players_only
@post_only
@confirmation_required(_ask_before_cancelling)
@show_refusals
def cancel(request: PlayerRequest, game: Game) -> HttpResponse:
    """Cancel a table that has not begun."""
    tables.cancel(game_id=game.pk, player=request.user, now=timezone.now())
    messages.success(request, _("The table {name} is cancelled.").format(name=game.name))
    return redirect("games:mine")
