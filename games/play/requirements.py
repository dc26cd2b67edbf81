"""Requirements of a table for players who take a free seat: their reliability and their rating."""

from __future__ import annotations

from typing import NamedTuple

from accounts.models import Player
from games.exceptions import Refused
from games.models import Game, PersonalTime
from ratings.strengths import ShownNumbers, load_numbers


class SeatCandidate(NamedTuple):
    """The values of a player that a table may require for a free seat."""

    reliability: int | None  # in hundredths; none where they have played too few turns to tell
    ratings: ShownNumbers | None  # none where no table asks for a rating

    def refused_at(self, game: Game) -> Refused | None:
        """Return why the player may not take a free seat of *game*; ``None`` if they may."""
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
    """Load the values of *player* that any of *games* requires; one query for each kind."""
    kept = None
    if any(game.min_reliability for game in games):
        kept = PersonalTime.objects.filter(player=player).first()
    ratings = None
    if any(game.asks_for_rating for game in games):
        ratings = load_numbers(player.pk)
    return SeatCandidate(None if kept is None else kept.reliability.per_cent, ratings)


def must_be_met(player: Player, game: Game) -> None:
    """Refuse *player* a seat of *game* if it requires more than they have. The caller exempts the invited.

    :raises Refused: *game* asks for more reliability than *player* has, or for another rating
    """
    refused = load_candidate(player, game).refused_at(game)
    if refused is not None:
        raise refused
