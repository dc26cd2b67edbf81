"""Locks on rows that a table's changes need, and the check that a table still stands open."""

from django.db.models import Q, QuerySet

from accounts.models import Player
from games.exceptions import Refused
from games.models import Game, Invitation, Seat, Status


def lock_games_of(player: Player, pending: QuerySet[Invitation]) -> None:
    """Lock the games that *player* is about to leave or is invited to: none begins or ends meanwhile."""
    at_table = Q(host=player) | Q(pk__in=Seat.objects.filter(player=player).values("game"))
    going_on = Q(at_table, status__in=[Status.OPEN, Status.PLAYING])
    games = Game.objects.filter(going_on | Q(pk__in=pending.values("game")))
    list(games.select_for_update().order_by("pk").values_list("pk"))


def lock_game(game_id: int) -> Game:
    return Game.objects.select_for_update().get(pk=game_id)


def must_be_open(game: Game) -> None:
    if game.status != Status.OPEN:
        raise Refused("not_open")
