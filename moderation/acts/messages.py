"""Deletion of messages: one's own for a while, reported ones by moderators at any time."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games.exceptions import Refused
from games.models import Message
from games.tables.chat import OWN_FOR
from moderation.acts import evidence
from moderation.acts.reports import lock_incident, must_be_as_shown
from moderation.models import IncidentAct


@transaction.atomic
def delete_own(*, message_id: int, player: Player, now: datetime) -> Message:
    """Delete a recent message of *player*. A copy is kept for a while, as it may be reported."""
    message = _lock_message(message_id)
    if message.author_id != player.pk:
        raise Refused("not_your_message")
    if message.deleted is None and now > message.at + OWN_FOR:
        raise Refused("too_late_to_delete")
    return _delete(message, player, now)


@transaction.atomic
def delete_reported(
    *, message_id: int, incident_id: int, who: Player, now: datetime, expected_version: str | None = None
) -> Message:
    """Delete a message that was reported as part of an incident, and log it there. Idempotent."""
    incident, own_matter = lock_incident(who, incident_id)
    message = _lock_message(message_id)
    if not incident.reports.filter(message=message).exists():
        raise Refused("may_not_decide")
    if message.deleted is not None:
        return message
    must_be_as_shown(incident, expected_version, closed=incident.closed is not None)
    IncidentAct.objects.create(
        incident=incident,
        kind=IncidentAct.Kind.DELETE,
        who=who,
        at=now,
        message=message,
        own_matter=own_matter or None,
    )
    return _delete(message, who, now)


def _lock_message(message_id: int) -> Message:
    return Message.objects.select_for_update().get(pk=message_id)


def _delete(message: Message, who: Player, now: datetime) -> Message:
    if message.deleted is None:
        evidence.keep_copy(message, now)
        message.text, message.deleted, message.deleted_by = "", now, who
        message.save(update_fields=["text", "deleted", "deleted_by"])
    return message
