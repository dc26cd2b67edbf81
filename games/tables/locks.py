"""A table's row, locked, and whether it still stands open."""

from games.exceptions import Refused
from games.models import Game, Status


def locked(game_id: int) -> Game:
    return Game.objects.select_for_update().get(pk=game_id)


def must_be_open(game: Game) -> None:
    if game.status != Status.OPEN:
        raise Refused("not_open")
