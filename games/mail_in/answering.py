"""Answering of mails in the inbox. In one transaction the sender is checked, the request is carried out, and
an answer is owed. So the message of a worker that dies just waits, and nothing happens twice.

Only players at their own addresses get answers: strangers, automatic messages and forged addresses are
ignored silently (REPLY-3, REPLY-4).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone, translation

from accounts.models import Player
from accounts.notice_preferences import note_return
from core.task_queue import queue_on_commit
from games import access, outbox
from games.conduct import limits
from games.inbox.envelope import read_envelope
from games.inbox.replies import MailReply, read_reply
from games.mail_in.requests import MailRequest, MailResult, carry_out
from games.models import Game, InboundMail, MailOutcome, MailState
from games.models.inbound_mail import NOTHING_DONE
from games.notices.reply_address import ReplyToken, read_reply_address

MOST_ATTEMPTS = 5
PAUSE = timedelta(minutes=1)

logger = logging.getLogger(__name__)


class AnsweredElsewhere(Exception):
    """Another worker has answered the message meanwhile; what this one has done is rolled back."""


@dataclass(frozen=True, slots=True)
class Correspondent:
    """The player and game of a reply address, if the message comes from that player."""

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
    ours = {parseaddr(one)[1] for one in (settings.DEFAULT_FROM_EMAIL, settings.SERVER_EMAIL)}
    return {*ours, f"@{settings.REPLY_DOMAIN}"} if settings.REPLY_DOMAIN else ours


def _answer(mail: InboundMail, reply: MailReply, now: datetime) -> None:
    if reply.kind == "ignore":
        _finish(mail, MailState.IGNORED, MailOutcome.MACHINE, now)
        return
    token = read_reply_address(mail.recipient)
    if token is None:
        _finish(mail, MailState.IGNORED, MailOutcome.FORGED, now)
        return
    mail.player = Player.objects.filter(pk=token.player, is_active=True).first()
    known = _identify(mail, token)
    if known is None:
        _finish(mail, MailState.IGNORED, MailOutcome.STRANGER, now)
        return
    if not limits.may_be_read(known.player, now):
        _finish(mail, MailState.IGNORED, MailOutcome.TOO_MANY, now)
        return
    zone = ZoneInfo(known.player.time_zone)
    with translation.override(known.player.language), timezone.override(zone):
        request = MailRequest(known.player, known.game, known.token, reply, mail.received)
        result = carry_out(request, now=now)
    _owe_answer(mail, known, result, now)


def _identify(mail: InboundMail, token: ReplyToken) -> Correspondent | None:
    """Return the player of the reply address, if the message claims to be from them alone."""
    player, game = mail.player, Game.objects.filter(pk=token.game).first()
    if player is None or game is None or not access.may_see(player, game):
        return None
    senders = read_envelope(bytes(mail.raw)).senders
    confirmed = EmailAddress.objects.filter(user=player, verified=True).values_list("email", flat=True)
    if not senders or not senders <= {address.lower() for address in confirmed}:
        return None
    return Correspondent(token, player, game)


def _owe_answer(mail: InboundMail, known: Correspondent, result: MailResult, now: datetime) -> None:
    note_return(known.player)
    if result.outcome in NOTHING_DONE and not limits.may_be_explained(known.player, now):
        _finish(mail, MailState.IGNORED, MailOutcome.TOO_MANY, now)
        return
    mail.answer = outbox.tell_mail_answer(known.game, known.player, mail.pk, now=now)
    _finish(mail, MailState.DONE, result.outcome, now, said=result.said)


def _finish(
    mail: InboundMail, state: MailState, outcome: MailOutcome, now: datetime, *, said: str = ""
) -> None:
    """Save the outcome of *mail*.

    :raises AnsweredElsewhere: another worker has saved one
    """
    done = InboundMail.objects.filter(pk=mail.pk, state=MailState.WAITING).update(
        state=state, outcome=outcome, said=said, player=mail.player, answer=mail.answer, answered=now
    )
    if not done:
        raise AnsweredElsewhere
    if mail.answer is not None:
        queue_on_commit("games.tasks.deliver_notices")


def _try_again(mail: InboundMail, now: datetime) -> None:
    waiting = InboundMail.objects.filter(pk=mail.pk, state=MailState.WAITING)
    attempts = mail.attempts + 1
    if attempts >= MOST_ATTEMPTS:
        waiting.update(state=MailState.FAILED, attempts=attempts)
    else:
        waiting.update(attempts=attempts, next_try=now + attempts * PAUSE)
