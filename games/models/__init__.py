"""Rows: games and what happened in them, tables and their talk, who has seen how much, and the outbox."""

from .block import Block, Contact
from .deal import Deal, DealSecret
from .desk import ModeratorNote, NameChange, NamedKind, ReportedName, WarningTemplate
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
from .notice import GIVEN_UP, Bookmark, Channel, Heartbeat, Kind, Notice, PrunedNotice, SilentAddress
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
    "GIVEN_UP",
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
    "Contact",
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
    "ModeratorNote",
    "Move",
    "NameChange",
    "NamedKind",
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
    "ReportedName",
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
    "WarningTemplate",
    "new_code",
    "new_token",
    "people_at",
]
