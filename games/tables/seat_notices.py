"""What players want to be told of one game: theirs alone to choose, and nothing that happens in it."""

from __future__ import annotations

from games.models import Seat


def save_notice_timing(seat: Seat, timing: str) -> None:
    """Tell the player at *seat* of its game when *timing* says; empty: as their settings say."""
    Seat.objects.filter(pk=seat.pk).update(notice_timing=timing)
