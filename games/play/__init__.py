"""The only door through which a running game changes.

Whoever plays a turn, resigns, loses on time or scores comes through here; each function makes one whole
change or none. Beside them: what one transaction writes (``ledger``), the game of rules behind the rows
(``positions``), the sealed order of the tiles (``bag``), which several games may share (``deals``), whether
rows and rules agree (``audit``). What moderators do has a door of its own, ``moderation``.
"""

from .claims import claim_win, give_days
from .deals import close_deal, new_deal
from .filling import draws_first_seat, give_bag, start_draws
from .holidays import begin_emergency, cancel_holiday, end_emergency, enter_holiday, follow_holidays
from .offers import abort, agree, decline, propose, resume
from .organising import call_off, extend
from .stops import note_all_outages, note_late_notice
from .substitutes import come_back, take_over
from .turns import (
    begin,
    is_repeat,
    lose_on_time,
    play,
    resign,
    resign_all,
    score,
    set_transfers,
    settle,
)
from .undo import undo

__all__ = [
    "abort",
    "agree",
    "begin",
    "begin_emergency",
    "call_off",
    "cancel_holiday",
    "claim_win",
    "close_deal",
    "come_back",
    "decline",
    "draws_first_seat",
    "end_emergency",
    "enter_holiday",
    "extend",
    "follow_holidays",
    "give_bag",
    "give_days",
    "is_repeat",
    "lose_on_time",
    "new_deal",
    "note_all_outages",
    "note_late_notice",
    "play",
    "propose",
    "resign",
    "resign_all",
    "resume",
    "score",
    "set_transfers",
    "settle",
    "start_draws",
    "take_over",
    "undo",
]
