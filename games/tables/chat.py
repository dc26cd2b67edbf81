"""What players say at their table, and spectators among themselves."""

from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games import access
from games.conduct import limits, sanctions
from games.exceptions import Refused
from games.models import Message, Room
from games.play.locks import lock_player
from games.tables.legible import legible
from games.tables.locks import locked

LONGEST_MESSAGE = 1000


@transaction.atomic
def say(*, game_id: int, player: Player, text: str, now: datetime, room: Room = Room.TABLE) -> Message:
    """Add a line to the talk at the table, or to that of the spectators."""
    lock_player(player)  # who says much says it in several games at once
    game = locked(game_id)
    text = text.strip()
    seated = access.seat_of(player, game) is not None
    if not access.may_see(player, game) or access.speaks_in(player, game, seated=seated) != room:
        raise Refused("may_not_talk" if room == Room.TABLE else "may_not_comment")
    sanctions.must_be_free_to_speak(player, now)
    if not legible(text):
        raise Refused("nothing_said")
    if len(text) > LONGEST_MESSAGE:
        raise Refused("talk_too_long", n=LONGEST_MESSAGE)
    limits.messages(player, now)
    return Message.objects.create(game=game, author=player, room=room, text=text, at=now)
