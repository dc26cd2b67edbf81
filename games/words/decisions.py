"""What a seat is asked besides placing a tile: told to it, told to the others, and explained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from games.rules import State

ASKS: Mapping[str, Any] = {
    "enter": gettext_lazy("You may send a figure to Carcassonne."),
    "transfer": gettext_lazy("You are asked: move figures out of Carcassonne before the scoring?"),
    "transfer_at_end": gettext_lazy(
        "You are asked: move figures out of Carcassonne before the final scoring?"
    ),
    "gingerbread": gettext_lazy("You move the Gingerbread Man to another city."),
}

WAITS: Mapping[str, Any] = {
    "enter": gettext_lazy("{player} may send a figure to Carcassonne."),
    "transfer": gettext_lazy("{player} is asked to move figures out of Carcassonne before the scoring."),
    "transfer_at_end": gettext_lazy(
        "{player} is asked to move figures out of Carcassonne before the final scoring."
    ),
    "gingerbread": gettext_lazy("{player} moves the Gingerbread Man."),
}

EXPLAINS: Mapping[str, Any] = {
    "enter": gettext_lazy(
        "Others scored by your tile, you did not. A figure in Carcassonne can later join a feature that is"
        " about to be scored. Whoever sends one may move the Count too: nobody leaves his quarter."
    ),
    "transfer": gettext_lazy(
        "What your figures in Carcassonne join now is scored with them; then they come home. Those who are"
        " asked after you see what you did."
    ),
    "transfer_at_end": gettext_lazy("This is the last chance: figures left in Carcassonne score nothing."),
    "gingerbread": gettext_lazy(
        "Leaving a city, he pays each knight in it 1 point for each of its tiles. The knights stay."
    ),
}


def waiting_for(state: State, player: str) -> str:
    """That *player* is asked, told to the others; empty while a tile is to be placed."""
    asks = WAITS.get(state.decision.kind)
    return "" if asks is None else str(asks).format(player=player)


def asked(state: State) -> str:
    """What the seat awaited is asked, told to it; empty while a tile is to be placed."""
    return str(ASKS.get(state.decision.kind, ""))
