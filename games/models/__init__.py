"""Rows: games and what happened in them, tables and their talk, who has seen how much, and the outbox."""

from .deal import Deal, DealSecret
from .follow import FollowedGame, FollowedPlayer
from .game import (
    BOT,
    CODE_ALPHABET,
    ENDED,
    Bag,
    Colour,
    Ending,
    Game,
    How,
    Move,
    Result,
    Seat,
    SeatState,
    Status,
    Tile,
    Transfers,
    Visibility,
    new_code,
)
from .holiday import Emergency, Holiday, PersonalTime
from .moderation import ActKind, ModerationAct
from .notice import Bookmark, Channel, Heartbeat, Kind, Notice, SilentAddress
from .offer import Offer, Outcome, Proposal
from .plan import Dropped, Plan
from .table import Answer, Invitation, Message, Note, Room, new_token
from .visit import Visit

__all__ = [
    "BOT",
    "CODE_ALPHABET",
    "ENDED",
    "ActKind",
    "Answer",
    "Bag",
    "Bookmark",
    "Channel",
    "Colour",
    "Deal",
    "DealSecret",
    "Dropped",
    "Emergency",
    "Ending",
    "FollowedGame",
    "FollowedPlayer",
    "Game",
    "Heartbeat",
    "Holiday",
    "How",
    "Invitation",
    "Kind",
    "Message",
    "ModerationAct",
    "Move",
    "Note",
    "Notice",
    "Offer",
    "Outcome",
    "PersonalTime",
    "Plan",
    "Proposal",
    "Result",
    "Room",
    "Seat",
    "SeatState",
    "SilentAddress",
    "Status",
    "Tile",
    "Transfers",
    "Visibility",
    "Visit",
    "new_code",
    "new_token",
]
