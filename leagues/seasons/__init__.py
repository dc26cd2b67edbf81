"""The services through which leagues change. Each makes one whole change or none.

A refusal is a :class:`leagues.exceptions.LeagueRefused`.
"""

from .admission import build_join_token
from .challenges import challenge, decline_challenge
from .extending import extend
from .founding import MAY_FOUND, found_league
from .joining import admit, join
from .organisers import confirm, may_organise, may_settle
from .organising import (
    announce,
    cancel_season,
    close_league,
    edit,
    is_untouched,
    name_organiser,
    open_next,
    remove_organiser,
)
from .penalties import set_penalty
from .registration import register, stay, withdraw, withdraw_from_open_seasons
from .replacing import replace
from .requests import answer, ask, forget_requests, forget_requests_of
from .results import record_result
from .seeding import put_seeds_in_order
from .settling import settle, settle_several
from .steps import advance
from .taking_out import take_out_player
from .teams.leaving import substitute, withdraw_team
from .teams.line_ups import put_line_up
from .teams.squads import (
    decline,
    found_team,
    hand_over,
    invite,
    join_team,
    name_vice_captain,
    remove,
    renew_link,
    set_available,
)
from .waiting_list import accept, stop_waiting, wait
from .warning import tell_organisers

__all__ = [
    "MAY_FOUND",
    "accept",
    "admit",
    "advance",
    "announce",
    "answer",
    "ask",
    "build_join_token",
    "cancel_season",
    "challenge",
    "close_league",
    "confirm",
    "decline",
    "decline_challenge",
    "edit",
    "extend",
    "forget_requests",
    "forget_requests_of",
    "found_league",
    "found_team",
    "hand_over",
    "invite",
    "is_untouched",
    "join",
    "join_team",
    "may_organise",
    "may_settle",
    "name_organiser",
    "name_vice_captain",
    "open_next",
    "put_line_up",
    "put_seeds_in_order",
    "record_result",
    "register",
    "remove",
    "remove_organiser",
    "renew_link",
    "replace",
    "set_available",
    "set_penalty",
    "settle",
    "settle_several",
    "stay",
    "stop_waiting",
    "substitute",
    "take_out_player",
    "tell_organisers",
    "wait",
    "withdraw",
    "withdraw_from_open_seasons",
    "withdraw_team",
]
