"""Tables before the game begins: setting up, sitting down, inviting; and the way to a rematch."""

from http import HTTPStatus
from typing import Any
from zlib import crc32

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh, reswap, retarget

from accounts.models import Player
from accounts.requests import HtmxRequest, PlayerRequest
from games import access, tables
from games.exceptions import Refused
from games.forms.rule_sets import filled_with
from games.forms.tables import VISIBILITY_WORDS, Invitee, InviteForm, SitForm, TableForm
from games.models import Answer, Game, Invitation, Status, Visibility
from games.pages.parts import chat
from games.pages.rulebook import contents
from games.pages.scene import Scene
from games.selectors import lists
from games.tables.presets import PRESETS
from games.views import board
from games.views.decorators import players_only, post_only, refusals_told
from games.views.parts import page_or_part, varying
from games.words import rule_sets


@login_required
def new(request: PlayerRequest) -> HttpResponse:
    """Set up a table."""
    host = request.user
    if request.method != "POST":
        form = TableForm(host=host, initial=_wishes(request))
        return render(request, "games/new.html", {"form": form})
    form = TableForm(request.POST, host=host)
    if form.is_valid() and not form.unheeded:
        try:
            game, is_new = tables.set_up(host=host, settings=form.settings, now=timezone.now())
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            if is_new:
                _invite(request, game, form.invitees)
            return redirect("games:table", game.code)
    return render(request, "games/new.html", {"form": form})


@login_required
def spread_out(request: PlayerRequest) -> HttpResponse:
    """The form with the chosen preset spread out over its details.

    htmx asks after every change: it gets the rules alone, or only what they come to with the same preset.
    """
    if request.method != "POST":
        return redirect("games:new")
    form = TableForm(request.POST, host=request.user)
    preset = str(request.POST.get("preset"))
    if request.htmx and preset == request.POST.get("filled"):
        return render(request, "games/new.html#notes", {"form": form})
    if preset in PRESETS:
        shown = {**request.POST.dict(), **filled_with(preset)}
        form = TableForm(host=request.user, initial=shown)
    response = render(request, f"games/new.html{'#rules' if request.htmx else ''}", {"form": form})
    return reswap(retarget(response, "#rules"), "outerHTML") if request.htmx else response


def _wishes(request: HtmxRequest) -> dict[str, Any]:
    """What a link to the form fills in beforehand."""
    wishes: dict[str, Any] = {"name": tables.town_name()}
    if request.GET.get("invite"):
        wishes |= {"invite": request.GET["invite"]}
    return wishes


def play_bot(request: PlayerRequest) -> HttpResponse:
    """A game against the house bot, at once; by a POST alone."""
    if request.method != "POST" or not request.user.is_authenticated:
        return redirect("games:new")
    game = tables.play_the_bot(host=request.user, now=timezone.now())
    return redirect("games:table", game.code)


def table(request: HtmxRequest, code: str) -> HttpResponse:
    """The table: its waiting room until all seats are taken, its board from then on.

    Who follows a link in a mail may have to sign in to see a private table. Strangers learn nothing from it:
    they are asked to sign in for any address where they see no table.
    """
    try:
        game = access.game_or_404(request.user, code)
    except Http404:
        if request.user.is_authenticated:
            raise
        return redirect_to_login(request.get_full_path())
    if game.started is not None:
        if request.htmx and "waiting" in request.GET:
            return HttpResponseClientRefresh()
        return board.show(request, game)
    return _show(request, game)


def _show(request: HtmxRequest, game: Game, invite: InviteForm | None = None) -> HttpResponse:
    """The waiting room of an open table, or what is left of one that was closed."""
    (line,) = lists.table_lines([lists.with_seats(game)], request.user, timezone.now())
    stamp = _stamp(line)
    if request.htmx and request.GET.get("waiting") == stamp:
        return varying(HttpResponse(status=HTTPStatus.NO_CONTENT))
    context = {
        **_agreed(game, line),
        "stamp": stamp,
        "open": game.status == Status.OPEN,
        "hosting": request.user.pk == game.host_id,
        "may_join": access.may_join(request.user, game),
        "invite_form": invite or InviteForm(),
        "link": request.build_absolute_uri(line.url),
        "talks": chat.talks(Scene.of(game, request.user)),
    }
    return page_or_part(request, "games/table.html", "waiting", context)


def _agreed(game: Game, line: lists.GameLine) -> dict[str, Any]:
    """What is to be known about a table before one sits down, for a template."""
    return {
        "game": game,
        "line": line,
        "rules": rule_sets.brief(game.rules),
        "all_rules": rule_sets.rule_set(game.rules),
        "pages": contents.concerning(game.rules),
        "visibility": VISIBILITY_WORDS[Visibility(game.visibility)],
        "sit_form": SitForm(seats=[one.seat for one in line.seats]),
    }


def _stamp(line: lists.GameLine) -> str:
    """What changes with the waiting room: as long as it doesn't, no half-typed word is swapped away."""
    seats = [(one.name, one.seat.colour, one.kept and one.kept.pk) for one in line.seats]
    said = chat.last_heard(line.game, AnonymousUser())
    return f"{crc32(repr((line.game.status, seats, said)).encode()):x}"


@players_only
@post_only
@refusals_told
def sit(request: PlayerRequest, game: Game) -> HttpResponse:
    """Take a free seat, or the one that is kept for this player."""
    colour = _colour(request, game)
    tables.sit(game_id=game.pk, player=request.user, now=timezone.now(), colour=colour)
    return redirect("games:table", game.code)


def _colour(request: HtmxRequest, game: Game) -> str:
    """The colour that was asked for, if it is one and nobody has it."""
    form = SitForm(request.POST, seats=list(game.seats.all()))
    return form.cleaned_data["colour"] if form.is_valid() else ""


@players_only
@post_only
@refusals_told
def leave(request: PlayerRequest, game: Game) -> HttpResponse:
    """Stand up from a table that has not begun."""
    tables.leave(game_id=game.pk, player=request.user, now=timezone.now())
    messages.success(request, _("You have left the table {name}.").format(name=game.name))
    return redirect("games:mine")


@players_only
@post_only
@refusals_told
def cancel(request: PlayerRequest, game: Game) -> HttpResponse:
    """Close a table that has not begun."""
    tables.cancel(game_id=game.pk, player=request.user, now=timezone.now())
    messages.success(request, _("The table {name} is cancelled.").format(name=game.name))
    return redirect("games:mine")


@players_only
@post_only
@refusals_told
def add_bot(request: PlayerRequest, game: Game) -> HttpResponse:
    """Give a free seat to the house bot."""
    tables.add_bot(game_id=game.pk, player=request.user, now=timezone.now())
    return redirect("games:table", game.code)


@players_only
@post_only
def invite(request: PlayerRequest, game: Game) -> HttpResponse:
    """Keep seats for players or for addresses, and send them mails."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _show(request, game, form)
    _invite(request, game, form.cleaned_data["who"])
    return redirect("games:table", game.code)


def _invite(request: PlayerRequest, game: Game, whom: list[Invitee]) -> None:
    for who in whom:
        name = who.player.username if who.player else who.address
        try:
            tables.invite(game_id=game.pk, inviter=request.user, now=timezone.now(), **who._asdict())
        except Refused as refused:
            messages.error(request, f"{name}: {refused.message}")
        else:
            messages.success(request, _("{name} is invited.").format(name=name))


@players_only
@post_only
@refusals_told
def withdraw(request: PlayerRequest, game: Game, pk: int) -> HttpResponse:
    """Take an invitation back."""
    invitation = get_object_or_404(Invitation, pk=pk, game=game)
    tables.withdraw_invitation(invitation_id=invitation.pk, player=request.user, now=timezone.now())
    messages.success(request, _("The invitation is withdrawn; the seat is free again."))
    return redirect("games:table", game.code)


@players_only
@post_only
@refusals_told
def rematch(request: PlayerRequest, game: Game) -> HttpResponse:
    """The same table again, seats rotated."""
    again = tables.rematch(game_id=game.pk, player=request.user, now=timezone.now())
    return redirect("games:table", again.code)


def invitation(request: HtmxRequest, token: str) -> HttpResponse:
    """What somebody is invited to. Looking answers nothing; to accept one needs an account."""
    asked = get_object_or_404(Invitation.objects.select_related("game", "inviter", "player"), token=token)
    if request.method != "POST":
        return _show_invitation(request, asked)
    answer = _decline if request.POST.get("answer") == "decline" else _accept
    try:
        return answer(request, asked)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:invitation", token)


def _decline(request: HtmxRequest, asked: Invitation) -> HttpResponse:
    player: Player | None = request.user if request.user.is_authenticated else None
    tables.decline(token=asked.token, player=player, now=timezone.now())
    messages.success(request, _("You have declined. The seat is free for somebody else."))
    return redirect("games:mine" if player else "games:home")


def _accept(request: HtmxRequest, asked: Invitation) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("games:invitation", args=[asked.token]))
    colour = _colour(request, asked.game)
    game = tables.accept(token=asked.token, player=request.user, now=timezone.now(), colour=colour)
    return redirect("games:table", game.code)


def _show_invitation(request: HtmxRequest, asked: Invitation) -> HttpResponse:
    game = lists.with_seats(asked.game)
    (line,) = lists.table_lines([game], request.user, timezone.now())
    if line.mine and asked.answer == Answer.ACCEPTED:
        return redirect("games:table", game.code)
    context = {
        **_agreed(game, line),
        "asked": asked,
        "open": asked.answer == Answer.PENDING and game.status == Status.OPEN,
        "for_another": asked.player is not None
        and request.user.is_authenticated
        and asked.player != request.user,
        "may_see": access.may_see(request.user, game),
    }
    return render(request, "games/invitation.html", context)
