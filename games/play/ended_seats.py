"""Repair of seats that do not record when their games ended.

Whatever ends a game writes that into its seats. A release that knew nothing of it may have ended games while
this one was being installed: their seats are written afterwards.
"""

from __future__ import annotations

from django.db.models import OuterRef, Subquery

from games.models import Game, Seat


def mend() -> int:
    """Write the end of their games into seats that lack it, and return how many did; may be repeated. Only
    seats of games that go on are looked through."""
    ended = Game.objects.filter(pk=OuterRef("game")).values("finished")
    return Seat.objects.filter(ended=None, game__finished__isnull=False).update(ended=Subquery(ended))
