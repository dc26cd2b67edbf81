"""Rows: ratings, leagues and their seasons."""

from .league import League, LogEntry
from .match import Bye, Fixture, Match, MatchSeat
from .rating import CalibrationMonth, Place, Pool, RatedGame, Rating, RatingBookmark, RatingChange
from .season import Division, Entry, EntryState, Phase, Season

__all__ = [
    "Bye",
    "CalibrationMonth",
    "Division",
    "Entry",
    "EntryState",
    "Fixture",
    "League",
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
    "Season",
]
