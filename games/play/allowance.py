"""The rows of a player's holidays, and the lock under which they change (CLOCK-22).

The clocks of the player's games follow in transactions of their own (``play/holidays.py``). Until then no
game is lost by it: whatever acts on a deadline that has passed works it out anew before.
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
    """Let nobody else change the holidays of *player*, by primary key, before this transaction has ended.

    Not the player's own row: closing an account holds that while it waits for games, and a game whose time
    has run out comes here.
    """
    row = PersonalTime.objects.select_for_update().filter(player=player)
    if row.first() is None:
        reliability.create_missing_rows([player])
        row.get()


def load_pieces(player: int) -> list[Piece]:
    """Return the holidays that *player*, by primary key, has entered; those of years ago, too."""
    return [Piece(*row) for row in Holiday.objects.filter(player=player).values_list("begin", "end")]


def enter(player: int, piece: Piece, *, now: datetime, automatic: bool = False) -> Holiday:
    """Write down *piece*; whoever calls holds the lock and has found nothing against it."""
    holiday = Holiday.objects.create(
        player_id=player, begin=piece.begin, end=piece.end, entered=now, automatic=automatic
    )
    record_change(player, now)
    return holiday


def record_change(player: int, now: datetime) -> None:
    """Write down what others see of it, and have the clocks of the games of *player* follow soon; should the
    message be lost, the row still tells."""
    away = []
    for kind, model in ((HOLIDAY, Holiday), (EMERGENCY, Emergency)):
        rows = model._default_manager.filter(player=player, end__gt=now).values_list("begin", "end")
        away += [(kind, begin.isoformat(), end.isoformat()) for begin, end in rows]
    away.sort(key=lambda one: parse_instant(one[1]))
    PersonalTime.objects.filter(player=player).update(changes=F("changes") + 1, away=away)
    queue_on_commit("games.tasks.follow_holidays", player)
