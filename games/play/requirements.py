"""What a table asks of whoever takes a free seat: how reliable they must be, and how strong.

Games know nothing of ratings: whoever works them out registers a source here, and without one no range of
ratings keeps anybody away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from accounts.models import Player
from games.exceptions import Refused
from games.models import Game, PersonalTime


class Ratings(NamedTuple):
    """The numbers of a player as they are shown, provisional ones too; that of a newcomer where there is no
    rated game yet."""

    duel: int
    table: int

    def at(self, seats: int) -> int:
        """The number that counts at a table of so many *seats*."""
        return self.duel if seats == 2 else self.table


Source = Callable[[int], Ratings]
"""From the primary key of a player to their ratings, in one query."""

_sources: list[Source] = []


def register(source: Source) -> None:
    """From now on *source* is asked; there is one at a time."""
    _sources[:] = [source]


class Candidate(NamedTuple):
    """What counts of somebody who would take a free seat."""

    reliability: int | None  # in hundredths; none where they have played too few turns to tell
    ratings: Ratings | None  # none where nobody works any out

    def refused_at(self, game: Game) -> Refused | None:
        """Why they may not take a free seat of *game*; nothing where they may."""
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


def candidate(player: Player, *games: Game) -> Candidate:
    """What counts of *player* at one of *games*: a query for each kind of thing that any of them asks for."""
    kept = None
    if any(game.min_reliability for game in games):
        kept = PersonalTime.objects.filter(player=player).first()
    ratings = None
    if _sources and any(game.asks_for_rating for game in games):
        ratings = _sources[0](player.pk)
    return Candidate(None if kept is None else kept.reliability.per_cent, ratings)


def must_be_met(player: Player, game: Game) -> None:
    """Nobody takes a seat where more is asked than they have. Who is invited was chosen: that is for the
    caller to know.

    :raises Refused: *game* asks for more reliability than *player* has, or for another rating
    """
    refused = candidate(player, game).refused_at(game)
    if refused is not None:
        raise refused
