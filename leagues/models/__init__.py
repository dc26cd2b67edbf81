"""Rows: ratings, leagues and their seasons."""

from .rating import CalibrationMonth, Place, Pool, RatedGame, Rating, RatingBookmark, RatingChange

__all__ = [
    "CalibrationMonth",
    "Place",
    "Pool",
    "RatedGame",
    "Rating",
    "RatingBookmark",
    "RatingChange",
]
