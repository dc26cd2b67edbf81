"""Rows: games and what happened in them, tables and their talk, who has seen how much, and the outbox."""

from .block import Block
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
from .incident import Category, Evidence, Incident, IncidentAct, Report, Verdict
from .moderation import ActKind, ModerationAct, people_at
from .notice import Bookmark, Channel, Heartbeat, Kind, Notice, PrunedNotice, SilentAddress
from .offer import Offer, Outcome, Proposal
from .plan import Dropped, Plan
from .sanction import Appeal, AppealOutcome, ConductAct, ConductActKind, Sanction, SanctionKind
from .signal import GameSheet, Signal, SignalKind, SignalVerdict
from .table import Answer, Invitation, Message, Note, Removal, Room, new_token
from .visit import Visit

__all__ = [
    "BOT",
    "CODE_ALPHABET",
    "ENDED",
    "ActKind",
    "Answer",
    "Appeal",
    "AppealOutcome",
    "Bag",
    "Block",
    "Bookmark",
    "Category",
    "Channel",
    "Colour",
    "ConductAct",
    "ConductActKind",
    "Deal",
    "DealSecret",
    "Dropped",
    "Emergency",
    "Ending",
    "Evidence",
    "FollowedGame",
    "FollowedPlayer",
    "Game",
    "GameSheet",
    "Heartbeat",
    "Holiday",
    "How",
    "Incident",
    "IncidentAct",
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
    "PrunedNotice",
    "Removal",
    "Report",
    "Result",
    "Room",
    "Sanction",
    "SanctionKind",
    "Seat",
    "SeatState",
    "Signal",
    "SignalKind",
    "SignalVerdict",
    "SilentAddress",
    "Status",
    "Tile",
    "Transfers",
    "Verdict",
    "Visibility",
    "Visit",
    "new_code",
    "new_token",
    "people_at",
]
