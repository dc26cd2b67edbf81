"""Queue of moderation's mails, written in the transaction of their cause."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from accounts.models import Player
from games.models import Game, Kind, Sanction
from games.outbox import tell
from moderation.models import NameChange


def notify_table_renamed(game: Game, change: NameChange, *, now: datetime) -> None:
    """Tell the host of *game*, which has not begun, that a moderator has given it another name."""
    of = f"{game.code}.renamed.{change.pk}"
    tell([game.host], Kind.MODERATION, of, now=now, game=game, about={"change": change.pk})


def notify_sanctioned(sanction: Sanction, what: str, *, now: datetime) -> None:
    """Tell the player of a change of a sanction, *what*: ``imposed``, ``lifted``, or its appeal
    ``answered``."""
    about = {"topic": what, "sanction": sanction.pk}
    tell([sanction.player], Kind.CONDUCT, f"{sanction.pk}.{what}", now=now, about=about)


def notify_incident_decided(incident: int, act: int, reporters: Iterable[Player], *, now: datetime) -> None:
    """Tell *reporters* that the *incident* they have reported is decided, by an *act* of its log."""
    tell(reporters, Kind.REPORT, f"{incident}.{act}", now=now, about={"incident": incident})
