"""Views of tables before the game begins: waiting, sitting down, leaving; and the rematch."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from zlib import crc32

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from accounts.requests import HtmxRequest, PlayerRequest
from games import access, tables
from games.forms.tables import VISIBILITY_WORDS, NameForm, SitForm, TableInviteForm
from games.models import Game, Seat, Status, Visibility
from games.pages.parts import chat
from games.pages.parts.player_summary import build_summaries_at_tables, format_winning_chance
from games.pages.rulebook import contents
from games.pages.scene import Scene
from games.selectors import lists
from games.selectors.invitation_recipients import list_declined_names
from games.views import board
from games.views.decorators import (
    explain_hidden_board,
    load_visible_game,
    players_only,
    post_only,
    show_refusals,
)
from games.views.parts import render_page_or_part, vary_by_htmx
from games.words import rule_sets

if TYPE_CHECKING:
    from games.pages.parts.player_summary import PlayerSummary

SeatAtTable = tuple[Seat, "PlayerSummary", str]
"""A seat, what is known of its player, and the link by which it is taken, if the viewer may pass that on."""


@explain_hidden_board
def table(request: HtmxRequest, code: str) -> HttpResponse:
    """Show a table: its waiting room until all seats are taken, then its board.

    Anonymous visitors may have to sign in to see a private table, for example from a link in a mail. So that
    they learn nothing, they are asked to sign in for any address without a visible table. The page of a board
    hidden by its draw is for everybody.
    """
    try:
        game = load_visible_game(request, code)
    except Http404 as missing:
        if request.user.is_authenticated or isinstance(missing, access.SealedGame):
            raise
        return redirect_to_login(request.get_full_path())
    if game.started is not None:
        if request.htmx and "waiting" in request.GET:
            return HttpResponseClientRefresh()
        return board.show(request, game)
    return show_table(request, game)


def show_table(request: HtmxRequest, game: Game, invite: TableInviteForm | None = None) -> HttpResponse:
    """Render the waiting room of an open table, or the page of a closed one."""
    now = timezone.now()
    lists.seat_players([game], request.user)
    sitting = [(seat.player, game.places) for seat in game.seated]
    links = [_build_seat_link(request, game, seat) for seat in game.seated]
    stamp = _stamp(game)
    if request.htmx and request.GET.get("waiting") == stamp:
        return vary_by_htmx(HttpResponse(status=HTTPStatus.NO_CONTENT))
    context = {
        **build_agreement_context(game),
        "stamp": stamp,
        "sitting": _begin_with_viewer(
            game, zip(game.seated, build_summaries_at_tables(sitting, now), links, strict=True)
        ),
        "prospect": format_winning_chance(request.user, game, [player for player, _seats in sitting], now),
        "barred": lists.list_unmet_requirements(request.user, [game])[0],
        "open": game.status == Status.OPEN,
        "hosting": request.user.pk == game.host_id,
        "may_join": access.may_join(request.user, game),
        "invite_form": invite or TableInviteForm(),
        "name_form": NameForm(initial={"name": game.name}),
        "link": request.build_absolute_uri(game.get_absolute_url()),
        "declined": list_declined_names(game, request.user)
        if game.own_seat and request.user.is_authenticated
        else [],
        "talks": chat.load_talks(Scene.of(game, request.user)),
    }
    return render_page_or_part(request, "games/table.html", "waiting", context)


def _begin_with_viewer(game: Game, seats: Iterable[SeatAtTable]) -> list[SeatAtTable]:
    """Return the *seats* of *game* clockwise, those of the viewer or of the host first."""
    first = game.own_seat or game.host_seat
    at = first.index if first else 0
    around = list(seats)
    return around[at:] + around[:at]


def build_agreement_context(game: Game) -> dict[str, Any]:
    """Return the template context with what players must know before they sit down."""
    return {
        "game": game,
        "rules": rule_sets.list_rules_in_brief(game.rules),
        "all_rules": rule_sets.list_rules(game.rules),
        "pages": contents.list_pages_for_rules(game.rules),
        "visibility": VISIBILITY_WORDS[Visibility(game.visibility)],
        "sit_form": SitForm(seats=list(game.seated)),
    }


def _build_seat_link(request: HtmxRequest, game: Game, seat: Seat) -> str:
    """Return the link by which anybody can take a kept *seat*; only for the host and whoever made it."""
    kept = seat.kept
    if kept is None or not kept.by_link or request.user.pk not in (kept.inviter_id, game.host_id):
        return ""
    return request.build_absolute_uri(kept.get_absolute_url())


def _stamp(game: Game) -> str:
    """Return a digest of the waiting room; only a change replaces the page, so that no input is lost."""
    seats = [(seat.name, seat.colour, seat.kept and seat.kept.pk) for seat in game.seated]
    said = chat.find_last_heard(game, AnonymousUser())
    return f"{crc32(repr((game.status, game.name, seats, said)).encode()):x}"


@players_only
@post_only
@show_refusals
def sit(request: PlayerRequest, game: Game) -> HttpResponse:
    """Take a free seat, or the one that is kept for this player."""
    colour = read_asked_colour(request, game)
    tables.sit(game_id=game.pk, player=request.user, now=timezone.now(), colour=colour)
    return redirect("games:table", game.code)


def read_asked_colour(request: HtmxRequest, game: Game) -> str:
    """Return the chosen colour, if it is valid and free."""
    form = SitForm(request.POST, seats=list(game.seats.all()))
    return form.cleaned_data["colour"] if form.is_valid() else ""


@players_only
@post_only
@show_refusals
def leave(request: PlayerRequest, game: Game) -> HttpResponse:
    """Leave a table that has not begun."""
    tables.leave(game_id=game.pk, player=request.user, now=timezone.now())
    messages.success(request, _("You've left the table {name}.").format(name=game.name))
    return redirect("games:mine")


@players_only
@post_only
@show_refusals
def remove_guest(request: PlayerRequest, game: Game, seat: int) -> HttpResponse:
    """Remove a guest from a table before the game begins."""
    tables.remove_guest(game_id=game.pk, player=request.user, seat=seat, now=timezone.now())
    messages.success(request, _("The seat is free again, and we've told the guest."))
    return redirect("games:table", game.code)


@players_only
@post_only
@show_refusals
def rename(request: PlayerRequest, game: Game) -> HttpResponse:
    """Rename a table that has not begun."""
    name = request.POST.get("name", "")
    tables.rename(game_id=game.pk, player=request.user, name=name, now=timezone.now())
    return redirect("games:table", game.code)


@players_only
@post_only
@show_refusals
def add_bot(request: PlayerRequest, game: Game) -> HttpResponse:
    """Give a free seat to the house bot."""
    tables.add_bot(game_id=game.pk, player=request.user, now=timezone.now())
    return redirect("games:table", game.code)


@players_only
@post_only
@show_refusals
def rematch(request: PlayerRequest, game: Game) -> HttpResponse:
    """Set up the same table again, with rotated seats."""
    again = tables.rematch(game_id=game.pk, player=request.user, now=timezone.now())
    return redirect("games:table", again.code)
