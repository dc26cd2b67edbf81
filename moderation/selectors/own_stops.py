"""The queue of stops that moderators have imposed in matters of their own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import OwnStop
from moderation.interests import OpenCase, find_recused_moderators
from moderation.selectors.desk import SHOWN, Queue, QueueEntry


def find_unseen(now: datetime) -> Sequence[QueueEntry]:
    """Return the stops that no other moderator has seen, the oldest first; seven queries."""
    stops = OwnStop.objects.filter(seen=None, player__closed=None)
    rows = list(stops.select_related("player", "sanction", "act__game").order_by("pk")[: SHOWN + 1])
    kept = find_recused_moderators([OpenCase(stop.player, stop.at, {stop.who_id}) for stop in rows])
    return [
        QueueEntry(
            _("{name}: {kind}").format(name=stop.player.username, kind=format_stop(stop)),
            stop.at,
            stop.get_absolute_url(),
            hidden_from=hidden | {stop.who_id},
        )
        for stop, hidden in zip(rows, kept, strict=True)
    ]


def format_stop(stop: OwnStop) -> str:
    """Say what was stopped: the name of a game, or the kind of a sanction."""
    if stop.sanction is not None:
        return str(stop.sanction.get_kind_display())
    assert stop.act is not None
    return stop.act.game.name


QUEUE = Queue(
    "own-stops",
    gettext_lazy("Own matters"),
    gettext_lazy("Players or games stopped by a moderator with a stake in it. Someone else has to look."),
    find_unseen,
)
