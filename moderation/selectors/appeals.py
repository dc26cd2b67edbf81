"""The queue of open appeals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from moderation.interests import OpenCase, find_recused_moderators
from moderation.models import Appeal
from moderation.selectors.desk import SHOWN, Queue, QueueEntry


def open_appeals(now: datetime) -> Sequence[QueueEntry]:
    """Return the unanswered appeals, sorted by when they are due; seven queries."""
    appeals = Appeal.objects.filter(answered=None, sanction__player__closed=None)
    rows = list(appeals.select_related("sanction__player").order_by("due")[: SHOWN + 1])
    kept = find_recused_moderators(
        [OpenCase(appeal.sanction.player, appeal.at, {appeal.sanction.who_id}) for appeal in rows]
    )
    return [
        QueueEntry(
            _describe_appeal(appeal, now),
            appeal.at,
            appeal.sanction.get_absolute_url(),
            hidden_from=hidden - {appeal.sanction.who_id},  # they may see that another answers
        )
        for appeal, hidden in zip(rows, kept, strict=True)
    ]


def _describe_appeal(appeal: Appeal, now: datetime) -> str:
    sanction = appeal.sanction
    said = _("{name}: {kind}, overdue") if appeal.due < now else _("{name}: {kind}")
    return said.format(name=sanction.player.username, kind=sanction.get_kind_display())


QUEUE = Queue(
    "appeals",
    gettext_lazy("Appeals"),
    gettext_lazy("To be answered within a week, by a different moderator."),
    open_appeals,
)
