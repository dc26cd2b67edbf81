"""Ratings: the only door to their rows (RATE-1 to 7)."""

from leagues.ratings.checking import differences
from leagues.ratings.months import calibration, count_months
from leagues.ratings.progress import follow, follow_moderators, rate_games, rebuild
from leagues.ratings.rows import Outcome, count_games, outcomes
from leagues.ratings.trying import fits

__all__ = [
    "Outcome",
    "calibration",
    "count_games",
    "count_months",
    "differences",
    "fits",
    "follow",
    "follow_moderators",
    "outcomes",
    "rate_games",
    "rebuild",
]
