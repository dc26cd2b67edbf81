"""Models of leagues and their seasons."""

from .formats import Challenge, Seed
from .league import Announcement, League, LogEntry, PrivateReason
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
from .team import Board, BoardPlayers, LineUp, Team, TeamMatch, TeamMember, TeamState

__all__ = [
    "AWAITS_ROUND",
    "CONTEST",
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
    "OrganiserRequest",
    "Phase",
    "PrivateReason",
    "RequestKind",
    "RoundDeal",
    "RoundMatch",
    "Season",
    "Seed",
    "Team",
    "TeamMatch",
    "TeamMember",
    "TeamState",
    "Waiting",
]
