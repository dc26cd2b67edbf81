"""The end of reply addresses: with their player's seat, or some time after the game."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from games.models import Game, Seat

OPEN_AFTER_END = timedelta(days=14)
"""Time for which a game that is over can still be talked about by email."""


def explain_ending(game: Game, seat: Seat | None, now: datetime) -> str:
    """Say why replies of the player of *seat* in *game* have no effect any more; empty while they have."""
    if seat is None:
        return _("You no longer have a seat in this game, so you can't reply to emails about it.")
    if game.finished is not None and game.finished + OPEN_AFTER_END < now:
        return _("This game ended more than two weeks ago, so you can't reply to emails about it.")
    return ""
