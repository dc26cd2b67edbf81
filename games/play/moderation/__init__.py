"""Acts of moderators on games, and the only way to do them: each act whole or not at all, with its reason, in
the record of the game and in the audit log.

Every act takes :class:`Asked` and answers the :class:`games.models.ModerationAct` that was written. What
can't be done raises ``Refused`` and changes nothing. Asked twice, it is done once. ``preview`` tells what an
act would do.
"""

from .base import ModerationRequest, preview
from .names import rename
from .pauses import can_be_stopped, extend, pause, resume, stop_first
from .results import abort, adjudicate, rate, reopen, unrate
from .roll_back import roll_back
from .seats import give_back, hand_to_ladder, replace

__all__ = [
    "ModerationRequest",
    "abort",
    "adjudicate",
    "can_be_stopped",
    "extend",
    "give_back",
    "hand_to_ladder",
    "pause",
    "preview",
    "rate",
    "rename",
    "reopen",
    "replace",
    "resume",
    "roll_back",
    "stop_first",
    "unrate",
]
