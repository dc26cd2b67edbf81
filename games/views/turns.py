"""Turns and answers submitted on the board or the text board."""

from datetime import timedelta
from http import HTTPStatus
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import multi_account
from accounts.requests import PlayerRequest
from games import play, words
from games.access import find_seat, find_seat_index
from games.exceptions import GameOver, NotYourTurn, Refused
from games.forms.board import PlayForm
from games.models import Game, Seat, Status
from games.pages.turn.draft import find_meant_tile
from games.play.positions import load_position_at
from games.rules import Action, IllegalAction, Place
from games.rules.notation import MAX_TYPED_LINE


class Attempt(NamedTuple):
    """The outcome of a turn that was sent: the game as it is now, and what to say, or why it was refused."""

    game: Game
    said: str = ""
    refused: str = ""
    status: int = HTTPStatus.OK


def read_sent_line(request: PlayerRequest) -> str:
    """Return the submitted line, cut to the maximum length of the field."""
    return str(request.POST.get("line", ""))[:MAX_TYPED_LINE]


def play_sent(request: PlayerRequest, game: Game) -> Attempt:
    """Play the submitted turn or answer. A refusal has changed nothing."""
    now = timezone.now()
    form = PlayForm(request.POST)
    try:
        action = _read_action(form, game)
        if action is None:
            return _refuse_turn(game, form.complaint, HTTPStatus.UNPROCESSABLE_ENTITY)
        played = play.play(
            game_id=game.pk,
            seat=_seat(request, game),
            action=action,
            expected_version=form.cleaned_data["version"],
            now=now,
            undo_window=timedelta(seconds=request.user.undo_seconds),
        )
    except IllegalAction as error:
        return _refuse_turn(game, words.explain_refusal(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    except Refused as error:
        status = HTTPStatus.FORBIDDEN if isinstance(error, NotYourTurn) else HTTPStatus.CONFLICT
        return _refuse_turn(game, error.message, status)
    played.viewer_context = game.viewer_context
    multi_account.record_trace(request, request.user, now)
    said = _("Your turn is played.") if isinstance(action, Place) else _("Your answer is played.")
    return Attempt(played, said=said)


def _refuse_turn(game: Game, why: str, status: int) -> Attempt:
    game.refresh_from_db()
    return Attempt(game, refused=why, status=status)


def _read_action(form: PlayForm, game: Game) -> Action | None:
    """Parse the turn or answer in *form*; a turn's tile is the one drawn when the page was made."""
    if not form.is_valid():
        return None
    state = load_position_at(game, min(form.cleaned_data["version"], game.version)).state
    if state.decision.seat is None and game.status != Status.PLAYING:
        raise GameOver
    return form.action(find_meant_tile(state))


def _seat(request: PlayerRequest, game: Game) -> int:
    seat = find_seat_index(request.user, game)
    if seat is None:
        raise Refused("not_seated")
    return seat


def require_seat(request: PlayerRequest, game: Game) -> Seat:
    """Return the player's seat. :raises Refused: if they have none"""
    seat = find_seat(request.user, game)
    if seat is None:
        raise Refused("not_seated")
    return seat
