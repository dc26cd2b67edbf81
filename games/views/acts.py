"""Actions of a player at the table of a running game besides turns, by a button or a small form."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.requests import PlayerRequest
from games import play
from games.clocks import TimeoutStep
from games.forms.board import SeatNoticesForm, TransfersForm
from games.models import Game
from games.pages.scene import Scene
from games.pages.turn import decision
from games.tables.seats import save_notice_timing
from games.views.confirmation import ConfirmationQuestion, confirmation_required
from games.views.decorators import View, players_only, post_only, show_refusals
from games.views.turns import require_seat
from games.words.clocks import LAST
from games.words.grammar import capitalise


def ask_before_ending(game: Game) -> ConfirmationQuestion:
    return ConfirmationQuestion(
        gettext("End {name} early?").format(name=game.name),
        gettext("The game ends at once for everyone: it's unrated, and nobody wins or loses."),
        gettext("Yes, end the game"),
        gettext("No, play on"),
        game.get_absolute_url(),
    )


def ask_before_claiming(game: Game) -> ConfirmationQuestion:
    consequence = gettext("The game ends at once, and you win it because your opponent ran out of time.")
    if sum(not seat.left for seat in game.seats.all()) > 2:
        consequence = f"{capitalise(str(LAST[TimeoutStep.LOSS]))}."
    return ConfirmationQuestion(
        gettext("Claim the win?"),
        consequence,
        gettext("Yes, claim the win"),
        gettext("No, wait a little"),
        game.get_absolute_url(),
    )


def act(
    done: Callable[..., Game],
    said: Promise,
    question: Callable[..., ConfirmationQuestion | None] = lambda game: None,
) -> View:
    """Return a view in which a player does *done* from their seat, and gets the message *said*.

    Irreversible actions ask for confirmation with *question* first.
    """

    @players_only
    @post_only
    @confirmation_required(question)
    @show_refusals
    def view(request: PlayerRequest, game: Game) -> HttpResponse:
        done(game_id=game.pk, seat=require_seat(request, game).index, now=timezone.now())
        messages.success(request, str(said))
        return redirect("games:table", game.code)

    return view


undo = act(play.undo, _("Turn undone."))
abort = act(play.abort, _("The game ended early."), ask_before_ending)
resume = act(play.resume, _("The pause is over."))
come_back = act(play.come_back, _("Welcome back: the seat is yours again."))
nudge = act(play.nudge, _("We've reminded them."))
claim = act(play.claim_win, _("You've claimed the win."), ask_before_claiming)


@players_only
@show_refusals
def set_transfers(request: PlayerRequest, game: Game) -> HttpResponse:
    """Set the seat's standing answer for moving figures out of Carcassonne; a GET shows its form."""
    if request.method != "POST":
        return _show_seat_form(request, game, "transfers")
    form = TransfersForm(request.POST)
    if form.is_valid():
        seat = require_seat(request, game)
        transfers = form.cleaned_data["transfers"]
        play.set_transfers(game_id=game.pk, seat=seat.index, transfers=transfers, now=timezone.now())
        messages.success(request, gettext("Your standing answer is saved."))
    return redirect("games:table", game.code)


@players_only
@show_refusals
def choose_notices(request: PlayerRequest, game: Game) -> HttpResponse:
    """Set the timing of the player's notices about *game*; a GET shows its form."""
    if request.method != "POST":
        return _show_seat_form(request, game, "seat_notices")
    seat = require_seat(request, game)
    form = SeatNoticesForm(request.POST)
    if form.is_valid():
        save_notice_timing(seat, form.cleaned_data["notice_timing"])
        messages.success(request, gettext("Your notifications about this game are saved."))
    return redirect("games:table", game.code)


def _show_seat_form(request: PlayerRequest, game: Game, name: str) -> HttpResponse:
    """Show the form called *name* about the player's seat; boards load it when it is opened."""
    if not game.running:
        return redirect("games:table", game.code)
    scene = Scene.of(game, request.user)
    forms = {
        "transfers": TransfersForm.showing(decision.format_standing_answer(scene)),
        "seat_notices": SeatNoticesForm.showing(decision.find_notice_timing(scene)),
    }
    if forms[name] is None:
        return redirect("games:table", game.code)
    return render(request, "games/seat_choice.html", {"scene": scene, name: forms[name]})
