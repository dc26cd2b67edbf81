"""Rows: ratings, leagues and their seasons."""

from .formats import Challenge, Seed
from .league import Announcement, League, LogEntry
from .match import Bye, Fixture, Match, MatchSeat
from .rating import CalibrationMonth, Place, Pool, RatedGame, Rating, RatingBookmark, RatingChange
from .round_deal import RoundDeal
from .season import Division, Entry, EntryState, Kind, Phase, Season, Waiting
from .team import Board, BoardPlayers, LineUp, Team, TeamMatch, TeamMember, TeamState

__all__ = [
    "Announcement",
    "Board",
    "BoardPlayers",
    "Bye",
    "CalibrationMonth",
    "Challenge",
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
    "Phase",
    "Place",
    "Pool",
    "RatedGame",
    "Rating",
    "RatingBookmark",
    "RatingChange",
    "RoundDeal",
    "Season",
    "Seed",
    "Team",
    "TeamMatch",
    "TeamMember",
    "TeamState",
    "Waiting",
]
