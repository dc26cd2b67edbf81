"""Mails about an account that must arrive: stored in the transaction of their cause, sent by a task.

Failures are retried with growing pauses; after a week a letter is dropped.
"""

import logging
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import Letter, Player
from core import batches
from core.bidi import isolate_text
from core.mail_errors import load_mail_errors
from core.outputs import clean_for_subject
from core.task_queue import queue_on_commit
from core.time_zones import load_zone

KEPT = timedelta(days=7)
LEASE = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=3)
BATCH = 50

logger = logging.getLogger(__name__)


def owe(player: Player, template: str, *, to: str = "", now: datetime, **context: Any) -> None:
    """Store a letter from ``account/email/<template>_*.txt`` to *player*, at their address or at *to*.

    Call it within the transaction of the cause. *context* holds JSON values and datetimes.
    """
    address = to or player.email
    if address:
        said = {name: _freeze_value(value) for name, value in context.items()}
        Letter.objects.create(player=player, to=address, template=template, context=said, owed=now, due=now)
        queue_on_commit("accounts.tasks.deliver_letters")


def deliver(*, now: datetime) -> int:
    """Send one batch of the letters that are due, and drop old ones. Return how many were due."""
    Letter.objects.filter(owed__lt=now - KEPT).delete()
    due = list(Letter.objects.filter(due__lte=now).order_by("due")[:BATCH])
    for letter in due:
        claimed = Letter.objects.filter(pk=letter.pk, due=letter.due).update(due=now + LEASE)
        if claimed:
            batches.run_row(f"letter {letter.pk}", partial(_send, letter, now))
    return len(due)


def _send(letter: Letter, now: datetime) -> None:
    try:
        compose(letter).send()
    except load_mail_errors():
        logger.exception("The letter %s could not be sent", letter)
        wait = min(LONGEST_WAIT, timedelta(minutes=2 ** min(letter.attempts, 10)))
        later = Letter.objects.filter(pk=letter.pk)
        later.update(due=now + wait, attempts=letter.attempts + 1)
    else:
        Letter.objects.filter(pk=letter.pk).delete()


def compose(letter: Letter) -> EmailMessage:
    """The mail of *letter*, in the language and the time zone of its reader."""
    player = letter.player
    with translation.override(player.spoken_language), timezone.override(load_zone(player.time_zone)):
        context = {
            **{name: _thaw_value(value) for name, value in letter.context.items()},
            "player": player,
            "site_name": settings.SITE_NAME,
            "site_url": settings.SITE_URL,
        }
        prefix = f"account/email/{letter.template}"
        subject = render_to_string(f"{prefix}_subject.txt", context)
        text = isolate_text(render_to_string(f"{prefix}_message.txt", context))
    return EmailMessage(
        clean_for_subject(subject),
        text.strip() + "\n",
        to=[letter.to],
        headers={"Auto-Submitted": "auto-generated"},
    )


def _freeze_value(value: Any) -> Any:
    return {"moment": value.isoformat()} if isinstance(value, datetime) else value


def _thaw_value(value: Any) -> Any:
    return datetime.fromisoformat(value["moment"]) if isinstance(value, dict) else value


def forget(player: Player, template: str) -> None:
    """Cancel the letters to *player* from this *template*."""
    Letter.objects.filter(player=player, template=template).delete()
