"""The rows of a player's holidays, and the lock under which they change (CLOCK-22).

The clocks of the player's games are updated in transactions of their own (``play/holidays.py``). No game is
lost in the meantime, because code that acts on a passed deadline computes it again first.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import F

from core.task_queue import queue_on_commit
from games.clocks import Piece, parse_instant
from games.models import Emergency, Holiday, PersonalTime
from games.play import reliability
from games.play.timing import EMERGENCY, HOLIDAY


def lock(player: int) -> None:
    """Lock the holidays of *player*, by primary key, until the end of this transaction.

    The lock is not on the player's own row: closing an account holds that row while it waits for games, and a
    timeout in such a game comes here.
    """
    row = PersonalTime.objects.select_for_update().filter(player=player)
    if row.first() is None:
        reliability.create_missing_rows([player])
        row.get()


def load_pieces(player: int) -> list[Piece]:
    """Return all holidays that *player*, by primary key, has ever entered."""
    return [Piece(*row) for row in Holiday.objects.filter(player=player).values_list("begin", "end")]


def enter(player: int, piece: Piece, *, now: datetime, automatic: bool = False) -> Holiday:
    """Store the holiday *piece*. The caller holds the lock and has checked that it is allowed."""
    holiday = Holiday.objects.create(
        player_id=player, begin=piece.begin, end=piece.end, entered=now, automatic=automatic
    )
    record_change(player, now)
    return holiday


def record_change(player: int, now: datetime) -> None:
    """Update the absences that others see, and queue the update of the clocks of *player*'s games. If the
    message is lost, ``PersonalTime.changes`` still shows that the update is due."""
    away = []
    for kind, model in ((HOLIDAY, Holiday), (EMERGENCY, Emergency)):
        rows = model._default_manager.filter(player=player, end__gt=now).values_list("begin", "end")
        away += [(kind, begin.isoformat(), end.isoformat()) for begin, end in rows]
    away.sort(key=lambda absence: parse_instant(absence[1]))
    PersonalTime.objects.filter(player=player).update(changes=F("changes") + 1, away=away)
    queue_on_commit("games.tasks.follow_holidays", player)
