"""What players say at their table, and spectators among themselves."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Player
from games import access
from games.exceptions import Refused
from games.models import Message, Room
from games.tables.legible import legible
from games.tables.locks import locked

LONGEST_MESSAGE = 1000
MESSAGES_A_MINUTE = 10


@transaction.atomic
def say(*, game_id: int, player: Player, text: str, now: datetime, room: Room = Room.TABLE) -> Message:
    """Add a line to the talk at the table, or to that of the spectators."""
    game = locked(game_id)
    text = text.strip()
    seated = access.seat_of(player, game) is not None
    if not access.may_see(player, game) or access.speaks_in(player, game, seated=seated) != room:
        raise Refused("may_not_talk" if room == Room.TABLE else "may_not_comment")
    if not legible(text):
        raise Refused("nothing_said")
    if len(text) > LONGEST_MESSAGE:
        raise Refused("talk_too_long", n=LONGEST_MESSAGE)
    lately = game.talk.filter(author=player, at__gt=now - timedelta(minutes=1)).count()
    if lately >= MESSAGES_A_MINUTE:
        raise Refused("talking_fast")
    return Message.objects.create(game=game, author=player, room=room, text=text, at=now)
