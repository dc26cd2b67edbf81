"""Moderators' acts on games. Each is done completely or not at all, with a reason, in the game's record and
in the audit log.

Every act takes a :class:`ModerationRequest` and returns the :class:`games.models.ModerationAct` that it
wrote, or raises ``Refused`` and changes nothing. A repeated request is carried out once. ``preview`` shows
the effect of an act.
"""

from .base import ModerationRequest, preview
from .names import rename
from .pauses import can_be_stopped, extend, pause, resume, stop_first
from .results import abort, adjudicate, rate, reopen, unrate
from .roll_back import roll_back
from .seats import give_back, hand_to_ladder, replace
from .shared_games import follow_suspension, stop_shared_games

__all__ = [
    "ModerationRequest",
    "abort",
    "adjudicate",
    "can_be_stopped",
    "extend",
    "follow_suspension",
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
    "stop_shared_games",
    "unrate",
]
