"""From the open table to the first draw, and who says what there.

Each function makes one whole change or none. What is refused is :class:`games.exceptions.Refused`.
"""

from .account_closing import say_goodbye
from .chat import say
from .invitations import accept, decline, invite, withdraw_invitation
from .rematches import rematch
from .seats import add_bot, leave, remove_guest, sit
from .setup import (
    begin_game,
    cancel,
    create_table,
    expire,
    keep_open,
    play_the_bot,
    rename,
    set_up,
    soon_closed,
    town_name,
)
from .suspending import suspended_with_something, withdraw_all

__all__ = [
    "accept",
    "add_bot",
    "begin_game",
    "cancel",
    "create_table",
    "decline",
    "expire",
    "invite",
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
    "soon_closed",
    "suspended_with_something",
    "town_name",
    "withdraw_all",
    "withdraw_invitation",
]
