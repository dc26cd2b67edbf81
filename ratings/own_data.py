"""Ratings of a player for the export of their data (``accounts.export``)."""

from collections.abc import Iterator
from typing import Any

from accounts.export import list_rows
from accounts.models import Player
from ratings.models import Rating, RatingChange


def build_files(player: Player) -> Iterator[tuple[str, Any]]:
    """Yield the archive's file with the ratings of *player* and their history."""
    change = (
        "code", "pool", "ended", "rank", "expected",
        "mu_before", "sigma_before", "mu", "sigma", "elo_before", "elo",
    )  # fmt: skip
    yield (
        "ratings.json",
        {
            "now": list_rows(
                Rating.objects.filter(player=player), "pool", "mu", "sigma", "elo", "games", "ended"
            ),
            "history": list_rows(RatingChange.objects.filter(player=player).order_by("ended", "pk"), *change),
        },
    )
