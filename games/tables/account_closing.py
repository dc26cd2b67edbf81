"""Account closing: leaving tables and games, and removing what players keep for themselves."""

from datetime import datetime

from django.db.models import Q

from accounts.models import Player
from games import outbox, play
from games.conduct import account_closing as conduct
from games.models import Answer, Invitation
from games.play import holidays, plans
from games.tables import follows, notes, visits
from games.tables.invitations import decline
from games.tables.locks import lock_games_of
from games.tables.setup import leave_open_tables


def say_goodbye(*, player: Player, now: datetime) -> None:
    """Remove *player*, whose account is being closed and whose row is locked, from all tables and games."""
    theirs = Q(player=player)
    if player.email:  # they may have been invited before they signed up
        theirs |= Q(player=None, address=player.email)
    invitations = Invitation.objects.filter(theirs)
    lock_games_of(player, invitations.filter(answer=Answer.PENDING))
    leave_open_tables(player, now)
    for invitation in invitations.filter(answer=Answer.PENDING):
        decline(token=invitation.token, player=player, now=now)
    invitations.update(player=player, address="", address_mark="", greeting="")
    player.invited.update(greeting="")
    player.removals.all().delete()
    outbox.forget_address(player)
    play.resign_all(player=player, now=now)
    notes.forget(player=player)
    visits.forget(player)
    follows.forget(player)
    plans.forget(player=player)
    holidays.forget(player)
    conduct.say_goodbye(player)
