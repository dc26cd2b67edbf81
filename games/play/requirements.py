"""Requirements of a table for whoever takes a free seat: how reliable they must be, and how strong."""

from __future__ import annotations

from typing import NamedTuple

from accounts.models import Player
from games.exceptions import Refused
from games.models import Game, PersonalTime
from ratings.strengths import ShownNumbers, load_numbers


class SeatCandidate(NamedTuple):
    """Values that count of somebody who would take a free seat."""

    reliability: int | None  # in hundredths; none where they have played too few turns to tell
    ratings: ShownNumbers | None  # none where no table asks for a rating

    def refused_at(self, game: Game) -> Refused | None:
        """Return why they may not take a free seat of *game*; ``None`` where they may."""
        kept = self.reliability
        if kept is not None and kept < game.min_reliability:
            return Refused("reliability_low", asked=game.min_reliability, yours=kept)
        if self.ratings is None:
            return None
        yours = self.ratings.at(game.places)
        too_low = game.min_rating is not None and yours < game.min_rating
        too_high = game.max_rating is not None and yours > game.max_rating
        if too_low or too_high:
            return Refused("rating_outside", least=game.min_rating, most=game.max_rating, yours=yours)
        return None


def load_candidate(player: Player, *games: Game) -> SeatCandidate:
    """Load what counts of *player* at one of *games*: a query for each kind of thing that any of them asks
    for."""
    kept = None
    if any(game.min_reliability for game in games):
        kept = PersonalTime.objects.filter(player=player).first()
    ratings = None
    if any(game.asks_for_rating for game in games):
        ratings = load_numbers(player.pk)
    return SeatCandidate(None if kept is None else kept.reliability.per_cent, ratings)


def must_be_met(player: Player, game: Game) -> None:
    """Refuse *player* a seat of *game* if it asks for more than they have. Who is invited was chosen: that is
    for the caller to know.

    :raises Refused: *game* asks for more reliability than *player* has, or for another rating
    """
    refused = load_candidate(player, game).refused_at(game)
    if refused is not None:
        raise refused
