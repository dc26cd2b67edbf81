"""A player's own sanctions, and the line about them above their games."""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from accounts.references import show_rows
from games.conduct.active_sanctions import find_active
from games.models import Sanction
from games.words.sanctions import SANCTIONS
from games.words.times import format_when


def load_own_sanctions(player: Player) -> list[Sanction]:
    """Load all sanctions of *player*, the newest first, with their appeals; one query."""
    sanctions = show_rows(Sanction.objects.filter(player=player).select_related("appeal"))
    show_rows(sanction.appeal for sanction in sanctions if hasattr(sanction, "appeal"))
    return sanctions


def build_conduct_line(player: Player, now: datetime) -> str:
    """Build the line that *player* must see before they act; empty for most. One query at most."""
    needed = [one for one in find_active(player, now) if one.acknowledged is None or not one.lets_play]
    rows = sorted(needed, key=lambda one: [*SANCTIONS].index(one.kind))
    if not rows:
        return ""
    ends = rows[0].ends
    return str(SANCTIONS[rows[0].kind].line).format(until="" if ends is None else format_when(ends))
