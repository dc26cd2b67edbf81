"""What closing an account does to tables and games."""

from datetime import datetime

from django.db.models import Q

from accounts.models import Player
from games import outbox, play
from games.models import Answer, Game, Invitation, Status
from games.tables.invitations import decline
from games.tables.locks import lock_games_of
from games.tables.seats import leave
from games.tables.setup import cancel


def say_goodbye(*, player: Player, now: datetime) -> None:
    """Take *player*, whose account is being closed and whose row is locked, from all tables and games."""
    theirs = Q(player=player)
    if player.email:  # they may have been invited before they signed up
        theirs |= Q(player=None, address=player.email)
    invitations = Invitation.objects.filter(theirs)
    lock_games_of(player, invitations.filter(answer=Answer.PENDING))
    for game in Game.objects.filter(host=player, status=Status.OPEN):
        cancel(game_id=game.pk, player=player, now=now)
    for game in Game.objects.filter(seats__player=player, status=Status.OPEN):
        leave(game_id=game.pk, player=player, now=now)
    for invitation in invitations.filter(answer=Answer.PENDING):
        decline(token=invitation.token, player=player, now=now)
    invitations.update(player=player, address="")
    player.invited.update(greeting="")
    outbox.forget_address(player)
    play.resign_all(player=player, now=now)
