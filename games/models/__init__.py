"""Rows: games and what happened in them, tables and their talk, and the outbox."""

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
    Visibility,
    new_code,
)
from .outbox import Channel, Heartbeat, Kind, Notice, SilentAddress
from .table import Answer, Invitation, Message, new_token

__all__ = [
    "BOT",
    "CODE_ALPHABET",
    "Answer",
    "Bag",
    "Channel",
    "Colour",
    "Ending",
    "Game",
    "Heartbeat",
    "How",
    "Invitation",
    "Kind",
    "Message",
    "Move",
    "Notice",
    "Result",
    "Seat",
    "SeatState",
    "SilentAddress",
    "Status",
    "Tile",
    "Visibility",
    "new_code",
    "new_token",
]
