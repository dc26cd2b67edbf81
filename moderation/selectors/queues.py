"""The queues of the moderators' desk, in their order."""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from moderation.selectors import appeals, incidents, own_stops, signals
from moderation.selectors.desk import SHOWN, STUCK, Queue, QueueEntry

QUEUES = (incidents.QUEUE, appeals.QUEUE, own_stops.QUEUE, signals.QUEUE, *STUCK)


def load_queues(viewer: Player, now: datetime) -> list[tuple[Queue, list[QueueEntry], bool]]:
    """Load all queues without the entries hidden from *viewer*, and whether there are more than shown; one
    query for each, or a few."""
    queues = []
    for queue in QUEUES:
        waiting = [entry for entry in queue.find(now) if viewer.pk not in entry.hidden_from]
        queues.append((queue, waiting[:SHOWN], len(waiting) > SHOWN))
    return queues
