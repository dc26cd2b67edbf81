"""What ratings and leagues keep about a player, for the file of all their data (``accounts.export``)."""

from collections.abc import Iterator
from typing import Any

from accounts.export import rows
from accounts.models import Player
from leagues.models import Entry, Rating, RatingChange, TeamMember


def files(player: Player) -> Iterator[tuple[str, Any]]:
    """The files of the archive: ratings with their history, and the leagues in which *player* has played."""
    change = (
        "code", "pool", "ended", "rank", "expected",
        "mu_before", "sigma_before", "mu", "sigma", "elo_before", "elo",
    )  # fmt: skip
    yield (
        "ratings.json",
        {
            "now": rows(Rating.objects.filter(player=player), "pool", "mu", "sigma", "elo", "games", "ended"),
            "history": rows(RatingChange.objects.filter(player=player).order_by("ended", "pk"), *change),
        },
    )
    entries = Entry.objects.filter(player=player).order_by("pk")
    teams = TeamMember.objects.filter(player=player).order_by("pk")
    yield (
        "leagues.json",
        {
            "entries": rows(
                entries, "season__league__name", "season__number", "division__level", "state", "registered",
                "withdrew", "rank", "points",
            ),
            "teams": rows(teams, "team__name", "season__number", "invited", "joined"),
        },
    )  # fmt: skip
