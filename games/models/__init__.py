"""Models: games and their moves, tables and chat, visits, sanctions, and the outbox."""

from .block import Block, Contact
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
    Undeletable,
    Visibility,
    new_code,
)
from .holiday import Emergency, Holiday, PersonalTime
from .inbound_mail import InboundMail, MailOutcome, MailState
from .moderation import ActKind, ModerationAct, find_people_at
from .notice import (
    GIVEN_UP,
    Bookmark,
    Channel,
    DropReason,
    Heartbeat,
    Kind,
    MailFate,
    Notice,
    PrunedNotice,
    SilentAddress,
)
from .offer import Offer, Outcome, Proposal
from .plan import Plan, PlanDropReason
from .push import PushSubscription
from .sanction import Sanction, SanctionKind
from .table import Answer, Invitation, Message, Note, Removal, Room, new_token
from .visit import ViewerContext, Visit
from .webhook import SwitchOffReason, Webhook, WebhookError, WebhookShape

__all__ = [
    "BOT",
    "CODE_ALPHABET",
    "ENDED",
    "GIVEN_UP",
    "ActKind",
    "Answer",
    "Bag",
    "Block",
    "Bookmark",
    "Channel",
    "Colour",
    "Contact",
    "Deal",
    "DealSecret",
    "DropReason",
    "Emergency",
    "Ending",
    "FollowedGame",
    "FollowedPlayer",
    "Game",
    "Heartbeat",
    "Holiday",
    "How",
    "InboundMail",
    "Invitation",
    "Kind",
    "MailFate",
    "MailOutcome",
    "MailState",
    "Message",
    "ModerationAct",
    "Move",
    "Note",
    "Notice",
    "Offer",
    "Outcome",
    "PersonalTime",
    "Plan",
    "PlanDropReason",
    "Proposal",
    "PrunedNotice",
    "PushSubscription",
    "Removal",
    "Result",
    "Room",
    "Sanction",
    "SanctionKind",
    "Seat",
    "SeatState",
    "SilentAddress",
    "Status",
    "SwitchOffReason",
    "Tile",
    "Transfers",
    "Undeletable",
    "ViewerContext",
    "Visibility",
    "Visit",
    "Webhook",
    "WebhookError",
    "WebhookShape",
    "find_people_at",
    "new_code",
    "new_token",
]
