"""Requests by mail, carried out by the same services as on the page, with answers in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import Player
from games import play, rules, words
from games.access import find_seat
from games.exceptions import GameOver, NotYourTurn, OutOfTime, Refused, StaleTurn
from games.inbox.replies import MailReply
from games.models import Game, How, MailOutcome, Note, Proposal, Seat, Status
from games.notices.reply_address import ReplyToken
from games.play.positions import load_visible_position
from games.rules import IllegalAction
from games.rules.notation import BadNotation
from games.rules.short_form import read_line
from games.tables import chat, notes


@dataclass(frozen=True, slots=True)
class MailRequest:
    """A request of *player*: the *reply* to the address with *token*, in a message *received* at a time.
    It is *doubtful* if the message failed DMARC: somebody else may have written it."""

    player: Player
    game: Game
    token: ReplyToken
    reply: MailReply
    received: datetime
    doubtful: bool = False

    @property
    def current(self) -> bool:
        """Return whether the game still stands as in the mail that is answered, except for chat."""
        return self.game.turn_version <= self.token.version <= self.game.version

    @property
    def seat(self) -> Seat:
        """Return the seat of the player.

        :raises Refused: they have none
        """
        seat = find_seat(self.player, self.game)
        if seat is None:
            raise Refused("not_seated")
        return seat


class MailResult(NamedTuple):
    """The outcome of a mail, and a message about it in the player's language."""

    outcome: MailOutcome
    said: str


def carry_out(request: MailRequest, *, now: datetime) -> MailResult:
    """Carry out *request*. A refusal changes nothing, and says why."""
    reply = request.reply
    try:
        if reply.kind == "play":
            return _play(request, now)
        if reply.kind == "command":
            return COMMANDS[reply.name](request, now)
    except StaleTurn:
        return _refuse_stale(request)
    except Refused as error:
        return MailResult(MailOutcome.REFUSED, error.message)
    return MailResult(MailOutcome.EXPLAINED, _explain(reply))


def _explain(reply: MailReply) -> str:
    if not reply.line:
        return _("We couldn't find an answer in your email.")
    return _("We couldn't read your answer: “{line}”.").format(line=reply.line[:80])


def _play(request: MailRequest, now: datetime) -> MailResult:
    """Play the turn, or the answer to a decision, written for the position in the mail."""
    if not request.current:
        return _refuse_stale(request)
    seat, game = request.seat, request.game
    if game.status != Status.PLAYING:
        raise Refused("not_begun") if game.status == Status.OPEN else GameOver
    if game.awaited != seat.index:
        raise NotYourTurn
    legal = load_visible_position(game, game.version, seat.index).legal_actions()
    try:
        action = read_line(request.reply.line, legal)
        if request.doubtful:
            return _ask_back(request.reply.line)
        _play_in_time(request, action, seat, now)
    except BadNotation as error:
        return MailResult(MailOutcome.REFUSED, words.explain_bad_line(error))
    except IllegalAction as error:
        return MailResult(MailOutcome.REFUSED, words.explain_refusal(error))
    said = _("Your turn is played.") if isinstance(action, rules.Place) else _("Your answer is played.")
    return MailResult(MailOutcome.PLAYED, said)


def _ask_back(line: str) -> MailResult:
    """Ask whether the player wrote *line*: a forwarded mail holds its address, and ``From`` is easily
    written."""
    said = _(
        "Your email failed the sender check (DMARC), so we aren't sure that it came from you. "
        "To go ahead with “{line}”, reply “yes” to this email."
    )
    return MailResult(MailOutcome.CONFIRM_ASKED, said.format(line=line))


def _play_in_time(request: MailRequest, action: rules.Action, seat: Seat, now: datetime) -> None:
    """Play now; if the deadline has passed, as of when the message arrived, as it may have waited here."""
    play_at = partial(
        play.play,
        game_id=request.game.pk,
        seat=seat.index,
        action=action,
        expected_version=request.token.version,
        how=How.MAIL,
        undo_window=timedelta(seconds=request.player.undo_seconds),
    )
    try:
        play_at(now=now)
    except OutOfTime:
        play_at(now=request.received)


def _refuse_stale(request: MailRequest) -> MailResult:
    if request.game.ended:
        raise GameOver
    return MailResult(
        MailOutcome.STALE,
        _("The game has moved on since the email you replied to, so we've done nothing."),
    )


def _show_status(request: MailRequest, now: datetime) -> MailResult:
    return MailResult(MailOutcome.STATUS, "")


def _talk(request: MailRequest, now: datetime) -> MailResult:
    chat.say(game_id=request.game.pk, player=request.player, text=request.reply.text, now=now)
    return MailResult(MailOutcome.TALKED, _("The others can read what you said."))


def _note(request: MailRequest, now: datetime) -> MailResult:
    """Append to the note on the whole game, which may have been written on the page."""
    game, player = request.game, request.player
    known = Note.objects.filter(game=game, player=player, ply=None).first()
    text = f"{known.text}\n{request.reply.text}" if known else request.reply.text
    revision = known.revision if known else 0
    notes.keep(game=game, player=player, ply=None, text=text, revision=revision, now=now)
    return MailResult(MailOutcome.NOTED, _("Your note is saved. Only you can read it."))


def _undo(request: MailRequest, now: datetime) -> MailResult:
    """Undo the last turn while that is possible; after that, ask the others. Bots agree at once."""
    if not request.current:
        return _refuse_stale_undo(request)
    if request.doubtful:
        return _ask_back(request.reply.name)
    seat = request.seat
    try:
        play.undo(game_id=request.game.pk, seat=seat.index, now=now)
    except Refused as error:
        if error.code not in ("too_late_to_undo", "not_yours_to_undo"):
            raise
    else:
        return MailResult(MailOutcome.UNDONE, _("Turn undone."))
    play.propose(game_id=request.game.pk, seat=seat.index, kind=Proposal.UNDO, now=now)
    if not _find_seats_to_ask(request):
        return MailResult(MailOutcome.UNDONE, _("Turn undone."))
    return MailResult(
        MailOutcome.PROPOSED, _("It's too late to undo your turn alone. We've asked the others.")
    )


def _refuse_stale_undo(request: MailRequest) -> MailResult:
    """Say why nothing was undone, and how it still can be: the answer's address is for the current
    position."""
    outcome, said = _refuse_stale(request)
    if play.find_last_turn(request.game, request.seat.index) is None:
        return MailResult(outcome, said)
    game, asks = request.game, _find_seats_to_ask(request)
    mine = play.find_last_mover(game) == request.seat.index
    if mine and not asks:
        more = _("To undo your last turn, reply to this email with “undo”.")
    elif asks:
        more = _("To ask the others whether you may undo your last turn, reply to this email with “undo”.")
    else:
        more = _("Others have played after your turn. To undo all of that, reply to this email with “undo”.")
    return MailResult(outcome, f"{said} {more}")


def _find_seats_to_ask(request: MailRequest) -> list[Seat]:
    return play.find_seats_to_ask(list(request.game.seats.select_related("player")), request.seat.index)


def _resign(request: MailRequest, now: datetime) -> MailResult:
    """Resign, if that is the answer to our question whether to; else ask it."""
    seat, game = request.seat, request.game
    Game.objects.select_for_update().get(pk=game.pk)  # nobody plays between this look and what follows
    game.refresh_from_db()
    if not request.current:
        return _refuse_stale(request)
    if game.status == Status.OPEN:
        raise Refused("not_begun")
    if game.ended or seat.left:
        raise GameOver
    if not request.token.confirms_resigning:
        return MailResult(
            MailOutcome.RESIGN_ASKED,
            _("Do you want to resign? To confirm, reply to this email with “resign” again."),
        )
    play.resign(game_id=game.pk, seat=seat.index, now=now, how=How.MAIL)
    return MailResult(MailOutcome.RESIGNED, _("You have resigned."))


COMMANDS: Mapping[str, Callable[[MailRequest, datetime], MailResult]] = {
    "status": _show_status,
    "talk": _talk,
    "note": _note,
    "undo": _undo,
    "resign": _resign,
}
