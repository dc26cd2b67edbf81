"""Services for tables that have not begun, from the set-up to the first draw, and for their chat.

Each function makes one complete change or none, and raises :class:`games.exceptions.Refused` if it can't.
"""

from .account_closing import say_goodbye
from .chat import say
from .guests import sit_as_guest
from .invitations import accept, decline, invite, invite_by_link, withdraw_invitation
from .rematches import rematch
from .seats import add_bot, leave, remove_guest, sit
from .setup import (
    begin_game,
    cancel,
    choose_town_name,
    create_table,
    expire,
    find_tables_to_close,
    keep_open,
    play_the_bot,
    rename,
    set_up,
)
from .suspensions import find_suspended_players, withdraw_all

__all__ = [
    "accept",
    "add_bot",
    "begin_game",
    "cancel",
    "choose_town_name",
    "create_table",
    "decline",
    "expire",
    "find_suspended_players",
    "find_tables_to_close",
    "invite",
    "invite_by_link",
    "keep_open",
    "leave",
    "play_the_bot",
    "rematch",
    "remove_guest",
    "rename",
    "say",
    "say_goodbye",
    "set_up",
    "sit",
    "sit_as_guest",
    "withdraw_all",
    "withdraw_invitation",
]
