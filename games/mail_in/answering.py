"""Answering of mails in the inbox. In one transaction the sender is checked, the request is carried out, and
an answer is owed. So the message of a worker that dies just waits, and nothing happens twice.

Only players at their confirmed addresses get answers. Automatic messages and forged addresses are ignored
(REPLY-3, REPLY-4), and nobody else is written to: of a reply from another address the player of the token is
told. What is ignored stays on that player's list of emails.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr

from allauth.account.models import EmailAddress
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.notice_preferences import note_return
from core.task_queue import queue_on_commit
from core.time_zones import load_zone
from games import access, outbox
from games.conduct import limits
from games.inbox.envelope import read_envelope
from games.inbox.replies import MailReply, read_confirmation, read_reply
from games.mail_in.requests import MailRequest, MailResult, carry_out
from games.models import Game, InboundMail, MailOutcome, MailState, Seat
from games.models.inbound_mail import WITHOUT_EFFECT
from games.notices.reply_address import ReplyToken, read_reply_address
from games.notices.reply_endings import explain_ending

MOST_ATTEMPTS = 5
PAUSE = timedelta(minutes=1)
LONGEST_NAMED = 100  # characters of a sender's address that a note shows

logger = logging.getLogger(__name__)


class AnsweredElsewhere(Exception):
    """Another worker has answered the message meanwhile; what this one has done is rolled back."""


@dataclass(frozen=True, slots=True)
class Correspondent:
    """The player and game of a reply address."""

    token: ReplyToken
    player: Player
    game: Game


def answer_mail(*, mail_id: int, now: datetime) -> None:
    """Carry out a message in the inbox, and owe its answer; do nothing if that was done already."""
    mail = InboundMail.objects.filter(pk=mail_id, state=MailState.WAITING).first()
    if mail is None:
        return
    try:
        reply = read_reply(bytes(mail.raw), our_addresses=list_our_addresses())
        with transaction.atomic():
            _answer(mail, reply, now)
    except AnsweredElsewhere:
        return
    except (OperationalError, InterfaceError, SoftTimeLimitExceeded):
        raise
    except Exception:  # a bug that one message triggers must not be retried for ever
        logger.exception("The inbound mail %s could not be answered", mail.pk)
        _try_again(mail, now)


def list_our_addresses() -> set[str]:
    """Return the senders whose mail is our own."""
    ours = {parseaddr(address)[1] for address in (settings.DEFAULT_FROM_EMAIL, settings.SERVER_EMAIL)}
    return {*ours, f"@{settings.REPLY_DOMAIN}"} if settings.REPLY_DOMAIN else ours


def _answer(mail: InboundMail, reply: MailReply, now: datetime) -> None:
    token = read_reply_address(mail.recipient)
    known = _identify(mail, token)
    if reply.kind == "ignore":
        _finish(mail, MailState.IGNORED, MailOutcome.MACHINE, now)
        return
    if known is None:
        outcome = MailOutcome.FORGED if token is None else MailOutcome.STRANGER
        _finish(mail, MailState.IGNORED, outcome, now)
        return
    if not _is_from(mail, known.player):
        _tell_of_stranger(mail, known, now)
        return
    if not limits.may_be_read(known.player, now):
        _finish(mail, MailState.IGNORED, MailOutcome.TOO_MANY, now)
        return
    asked = _find_confirmed(mail, known, reply)
    if asked is not None:
        reply = read_reply(bytes(asked.raw), our_addresses=list_our_addresses())
    doubtful = mail.dmarc == "fail" and asked is None
    with _speak_to(known.player):
        result = _carry_out(mail, known, reply, now, doubtful=doubtful)
    _owe_answer(mail, known, result, now)


def _find_confirmed(mail: InboundMail, known: Correspondent, reply: MailReply) -> InboundMail | None:
    """Return the mail that *mail* confirms with a "yes" to our question whether it is the player's. Only they
    have the address that was in the question."""
    if not known.token.confirms_mail or reply.kind != "explain" or not read_confirmation(bytes(mail.raw)):
        return None
    asked = InboundMail.objects.filter(pk=known.token.confirms_mail, outcome=MailOutcome.CONFIRM_ASKED)
    return asked.filter(player=known.player).first()


def _identify(mail: InboundMail, token: ReplyToken | None) -> Correspondent | None:
    """Return the player and game of *token*; ``None`` if there is none, or the account is closed. From now on
    the mail is on the player's list, whatever comes of it."""
    if token is None:
        return None
    mail.player = Player.objects.filter(pk=token.player, is_active=True).first()
    game = Game.objects.filter(pk=token.game).first()
    return None if mail.player is None or game is None else Correspondent(token, mail.player, game)


def _is_from(mail: InboundMail, player: Player) -> bool:
    """Return whether *mail* claims to be from *player* alone, at confirmed addresses."""
    confirmed = EmailAddress.objects.filter(user=player, verified=True).values_list("email", flat=True)
    senders = _list_senders(mail)
    return bool(senders) and senders <= {address.lower() for address in confirmed}


def _list_senders(mail: InboundMail) -> frozenset[str]:
    return read_envelope(bytes(mail.raw)).senders


@contextmanager
def _speak_to(player: Player) -> Iterator[None]:
    with translation.override(player.spoken_language), timezone.override(load_zone(player.time_zone)):
        yield


def _carry_out(
    mail: InboundMail, known: Correspondent, reply: MailReply, now: datetime, *, doubtful: bool
) -> MailResult:
    seat = access.find_seat(known.player, known.game)
    ending = explain_ending(known.game, seat, mail.received)
    if ending:
        return MailResult(MailOutcome.REFUSED, ending)
    request = MailRequest(known.player, known.game, known.token, reply, mail.received, doubtful)
    return carry_out(request, now=now)


def _tell_of_stranger(mail: InboundMail, known: Correspondent, now: datetime) -> None:
    """Tell the player, once a day, that somebody has answered in their place; do nothing else. It may be
    themselves: at an address that is not confirmed, or not any more."""
    if limits.may_be_told_of_stranger(known.player, now):
        with _speak_to(known.player):
            mail.said = _(
                "Somebody replied to our email about {game} from {address}, so we did nothing. If that was "
                "you, reply from {email}, or confirm the other address first."
            ).format(
                game=known.game.name,
                address=", ".join(sorted(_list_senders(mail)))[:LONGEST_NAMED],
                email=known.player.email,
            )
        mail.answer = outbox.tell_mail_answer(known.game, known.player, mail.pk, now=now)
    state = MailState.IGNORED if mail.answer is None else MailState.DONE
    _finish(mail, state, MailOutcome.STRANGER, now, said=mail.said)


def _owe_answer(mail: InboundMail, known: Correspondent, result: MailResult, now: datetime) -> None:
    note_return(known.player)
    if result.outcome in WITHOUT_EFFECT and not limits.may_be_explained(known.player, now):
        _finish(mail, MailState.IGNORED, MailOutcome.TOO_MANY, now)
        return
    mail.answer = outbox.tell_mail_answer(known.game, known.player, mail.pk, now=now)
    _finish(mail, MailState.DONE, result.outcome, now, said=result.said)


def _finish(
    mail: InboundMail, state: MailState, outcome: MailOutcome, now: datetime, *, said: str = ""
) -> None:
    """Save the outcome of *mail*. The bytes of a message that is ignored, or a stranger's, go: nobody reads
    them again.

    :raises AnsweredElsewhere: another worker has saved one
    """
    raw = {"raw": b""} if state == MailState.IGNORED or outcome == MailOutcome.STRANGER else {}
    done = InboundMail.objects.filter(pk=mail.pk, state=MailState.WAITING).update(
        state=state, outcome=outcome, said=said, player=mail.player, answer=mail.answer, answered=now, **raw
    )
    if not done:
        raise AnsweredElsewhere
    if mail.answer is not None and not _waits_for_program(mail.answer.of_game):
        queue_on_commit("games.tasks.deliver_notices")


def _waits_for_program(game: Game) -> bool:
    """Return whether a program plays next, after which the answer can tell the turn that follows."""
    awaited = Seat.objects.filter(game=game, game__awaited=F("index")).first()
    return awaited is not None and awaited.played_by_program


def _try_again(mail: InboundMail, now: datetime) -> None:
    waiting = InboundMail.objects.filter(pk=mail.pk, state=MailState.WAITING)
    attempts = mail.attempts + 1
    if attempts < MOST_ATTEMPTS:
        waiting.update(attempts=attempts, next_try=now + attempts * PAUSE)
        return
    waiting.update(attempts=attempts)
    try:
        with transaction.atomic():
            _give_up(mail, now)
    except AnsweredElsewhere:
        return
    except (OperationalError, InterfaceError, SoftTimeLimitExceeded):
        raise
    except Exception:  # the very part that fails
        logger.exception("The inbound mail %s could not even be given up", mail.pk)
        waiting.update(state=MailState.FAILED, player=mail.player)


def _give_up(mail: InboundMail, now: datetime) -> None:
    """Tell the player that their message could not be carried out; that is our fault."""
    known = _identify(mail, read_reply_address(mail.recipient))
    if known is None or not _is_from(mail, known.player):
        _finish(mail, MailState.FAILED, MailOutcome.REFUSED, now)
        return
    with _speak_to(known.player):
        said = _("Something went wrong on our side, so we did nothing. Please use the board instead.")
    _owe_answer(mail, known, MailResult(MailOutcome.REFUSED, said), now)
