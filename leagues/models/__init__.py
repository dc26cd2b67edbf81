"""Models of leagues and their seasons."""

from .formats import Challenge, Seed
from .league import (
    LONG_SUSPENSION,
    MAY_FOUND,
    Announcement,
    League,
    LogEntry,
    PrivateReason,
    find_long_suspended,
    find_staff,
)
from .match import CONTEST, Bye, Fixture, Match, MatchSeat, RoundDeal
from .request import OrganiserRequest, RequestKind
from .season import (
    AWAITS_ROUND,
    STANDING,
    Contender,
    Division,
    Entry,
    EntryState,
    Kind,
    Phase,
    RoundMatch,
    Season,
    Waiting,
)
from .substitute import OfferState, SubstituteOffer
from .team import Board, BoardPlayers, LineUp, Team, TeamMatch, TeamMember, TeamState

__all__ = [
    "AWAITS_ROUND",
    "CONTEST",
    "LONG_SUSPENSION",
    "MAY_FOUND",
    "STANDING",
    "Announcement",
    "Board",
    "BoardPlayers",
    "Bye",
    "Challenge",
    "Contender",
    "Division",
    "Entry",
    "EntryState",
    "Fixture",
    "Kind",
    "League",
    "LineUp",
    "LogEntry",
    "Match",
    "MatchSeat",
    "OfferState",
    "OrganiserRequest",
    "Phase",
    "PrivateReason",
    "RequestKind",
    "RoundDeal",
    "RoundMatch",
    "Season",
    "Seed",
    "SubstituteOffer",
    "Team",
    "TeamMatch",
    "TeamMember",
    "TeamState",
    "Waiting",
    "find_long_suspended",
    "find_staff",
]
