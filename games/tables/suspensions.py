"""Effects of a suspension on tables that have not begun: the player's are closed, their seats freed."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Player
from games.models import Game, Holiday, Invitation, Sanction, Seat, Status
from games.tables.locks import lock_games_of
from games.tables.setup import leave_open_tables


def find_suspended_players(now: datetime) -> QuerySet[Player]:
    """Return the suspended players who still have an open table, a seat at one, or a future holiday."""
    suspensions = Sanction.objects.suspending(now).filter(player=OuterRef("pk"))
    hosted = Game.objects.filter(host=OuterRef("pk"), status=Status.OPEN)
    seats = Seat.objects.filter(player=OuterRef("pk"), game__status=Status.OPEN)
    to_come = Holiday.objects.filter(player=OuterRef("pk"), begin__gt=now)
    something = Exists(hosted) | Exists(seats) | Exists(to_come)
    return Player.objects.filter(Q(Exists(suspensions)), something, sanctioned=True).order_by("pk")


@transaction.atomic
def withdraw_all(*, player: Player, now: datetime) -> None:
    """Close the open tables of *player*, and free their seats at those of others. Idempotent."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    lock_games_of(player, Invitation.objects.none())
    leave_open_tables(player, now)
