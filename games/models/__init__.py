"""Rows: games and what happened in them, tables and their talk, who has seen how much, and the outbox."""

from .follow import FollowedGame, FollowedPlayer
from .game import (
    BOT,
    CODE_ALPHABET,
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
from .notice import Channel, Heartbeat, Kind, Notice, SilentAddress
from .table import Answer, Invitation, Message, Note, Room, new_token
from .visit import Visit

__all__ = [
    "BOT",
    "CODE_ALPHABET",
    "Answer",
    "Bag",
    "Channel",
    "Colour",
    "Ending",
    "FollowedGame",
    "FollowedPlayer",
    "Game",
    "Heartbeat",
    "How",
    "Invitation",
    "Kind",
    "Message",
    "Move",
    "Note",
    "Notice",
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
