"""The only door through which a running game changes.

Whoever plays a turn, resigns, loses on time or scores comes through here; each function makes one whole
change or none. Beside them: what one transaction writes (``ledger``), the game of rules behind the rows
(``positions``), the sealed order of the tiles (``bag``), whether rows and rules agree (``audit``).
"""

from .turns import (
    begin,
    draws_first_seat,
    give_bag,
    is_repeat,
    lose_on_time,
    play,
    resign,
    resign_all,
    score,
    set_transfers,
    start_draws,
)

__all__ = [
    "begin",
    "draws_first_seat",
    "give_bag",
    "is_repeat",
    "lose_on_time",
    "play",
    "resign",
    "resign_all",
    "score",
    "set_transfers",
    "start_draws",
]
