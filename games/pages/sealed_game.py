"""The page of a game whose board is hidden, as others draw the same tiles."""

from __future__ import annotations

from typing import Any

from games.access import Visitor
from games.models import Game
from games.selectors.contests import load_contest
from games.selectors.seats import find_own_seat, list_seat_names, load_seats_of


def build_context(game: Game, visitor: Visitor) -> dict[str, Any]:
    """Build the template context of *game*, whose board *visitor* may not see. Three queries, and those of
    its contest."""
    seats = load_seats_of(game)
    assert game.deal is not None
    sharing = list(game.deal.games.prefetch_related("seats").order_by("pk"))
    own = (other for other in sharing if not other.ended and find_own_seat(list(other.seats.all()), visitor))
    return {
        "game": game,
        "seats": list(zip(seats, list_seat_names(seats), strict=True)),
        "sharing": sharing,
        "over": sum(other.ended for other in sharing),
        "contest": load_contest(game),
        "own": next(own, None),
    }
