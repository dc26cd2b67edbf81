"""The only door through which leagues change. Each function makes one whole change or none.

What is refused is :class:`leagues.exceptions.LeagueRefused`.
"""

from .challenges import challenge
from .founding import MAY_FOUND, found
from .joining import admit, join
from .organisers import may_organise
from .organising import (
    announce,
    cancel_season,
    close_league,
    edit,
    extend,
    name_organiser,
    open_next,
    remove_organiser,
)
from .registration import register, stay, withdraw
from .replacing import replace
from .results import follow
from .settling import settle
from .steps import advance
from .teams.leaving import substitute, withdraw_team
from .teams.line_ups import put_line_up
from .teams.squads import (
    decline,
    found_team,
    hand_over,
    invite,
    join_team,
    new_link,
    remove,
    set_available,
)
from .waiting import stop_waiting, wait
from .warning import tell_organisers

__all__ = [
    "MAY_FOUND",
    "admit",
    "advance",
    "announce",
    "cancel_season",
    "challenge",
    "close_league",
    "decline",
    "edit",
    "extend",
    "follow",
    "found",
    "found_team",
    "hand_over",
    "invite",
    "join",
    "join_team",
    "may_organise",
    "name_organiser",
    "new_link",
    "open_next",
    "put_line_up",
    "register",
    "remove",
    "remove_organiser",
    "replace",
    "set_available",
    "settle",
    "stay",
    "stop_waiting",
    "substitute",
    "tell_organisers",
    "wait",
    "withdraw",
    "withdraw_team",
]
