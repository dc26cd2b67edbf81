"""The services through which leagues change. Each makes one whole change or none.

A refusal is a :class:`leagues.exceptions.LeagueRefused`. The functions ``check_…`` make the same checks for a
preview, and change nothing.
"""

from .admission import build_join_token
from .challenges import challenge, decline_challenge
from .ending_early import check_early_end, end_early
from .extending import check_extending, extend
from .founding import check_naming, found_league
from .joining import admit, join
from .offices import find_led_teams, find_sole_leagues
from .organisers import confirm, may_organise, may_settle
from .organising import (
    announce,
    cancel_season,
    check_cancelling,
    check_closing,
    check_editing,
    check_for_all,
    check_opening,
    check_removing,
    close_league,
    edit,
    is_untouched,
    name_organiser,
    open_next,
    remove_organiser,
)
from .penalties import set_penalty
from .registration import register, stay, withdraw, withdraw_from_open_seasons
from .requests import answer, ask, forget_requests, forget_requests_of
from .results import record_result
from .seeding import check_seeding, put_seeds_in_order
from .settling import settle, settle_several
from .steps import advance
from .substitutes import accept_offer, ask_substitute, decline_offer
from .taking_out import take_out_player
from .teams.leaving import substitute, withdraw_team
from .teams.line_ups import put_line_up
from .teams.squads import (
    decline,
    found_team,
    hand_over,
    invite,
    join_team,
    list_successors,
    name_vice_captain,
    remove,
    renew_link,
    set_available,
)
from .waiting_list import accept, check_accepting, stop_waiting, wait
from .warning import tell_organisers

__all__ = [
    "accept",
    "accept_offer",
    "admit",
    "advance",
    "announce",
    "answer",
    "ask",
    "ask_substitute",
    "build_join_token",
    "cancel_season",
    "challenge",
    "check_accepting",
    "check_cancelling",
    "check_closing",
    "check_early_end",
    "check_editing",
    "check_extending",
    "check_for_all",
    "check_naming",
    "check_opening",
    "check_removing",
    "check_seeding",
    "close_league",
    "confirm",
    "decline",
    "decline_challenge",
    "decline_offer",
    "edit",
    "end_early",
    "extend",
    "find_led_teams",
    "find_sole_leagues",
    "forget_requests",
    "forget_requests_of",
    "found_league",
    "found_team",
    "hand_over",
    "invite",
    "is_untouched",
    "join",
    "join_team",
    "list_successors",
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
