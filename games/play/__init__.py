"""Services that change a running game; no other code does.

Each public function makes one complete change or none. The modules beside them hold the writes of one
transaction (``ledger``), the position behind the rows (``positions``), the secret order of the tiles
(``bag``), which several games may share (``deals``), and the check of rows against the rules (``audit``). The
acts of moderators are in ``moderation``.
"""

from .bag_storage import draws_first_seat, give_bag, load_start_draws
from .claims import claim_win, give_days
from .clock_pauses import note_all_outages, note_late_notice
from .consent import find_seats_to_ask
from .deals import close_deal, create_deal, knows_tiles
from .expiry import lose_on_time
from .handing_over import hand_over
from .holidays import begin_emergency, cancel_holiday, end_emergency, enter_holiday, follow_holidays
from .nudges import nudge
from .offers import abort, agree, decline, propose, resume
from .organiser_acts import call_off, extend
from .substitutes import come_back, take_over
from .turns import (
    begin,
    find_last_mover,
    is_repeat,
    play,
    resign,
    resign_all,
    score,
    set_transfers,
    settle,
)
from .undo import find_last_turn, undo

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
    "create_deal",
    "decline",
    "draws_first_seat",
    "end_emergency",
    "enter_holiday",
    "extend",
    "find_last_mover",
    "find_last_turn",
    "find_seats_to_ask",
    "follow_holidays",
    "give_bag",
    "give_days",
    "hand_over",
    "is_repeat",
    "knows_tiles",
    "load_start_draws",
    "lose_on_time",
    "note_all_outages",
    "note_late_notice",
    "nudge",
    "play",
    "propose",
    "resign",
    "resign_all",
    "resume",
    "score",
    "set_transfers",
    "settle",
    "take_over",
    "undo",
]
