"""Chat of the players at their table, and of spectators among themselves."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts import texts
from accounts.models import Player
from games import access
from games.conduct import active_sanctions, limits
from games.exceptions import Refused
from games.models import Message, Room
from games.play.locks import lock_player
from games.tables.locks import lock_game

LONGEST_MESSAGE = texts.KINDS["talk"].most
AT_ONCE = timedelta(minutes=1)
"""Time within which an identical message, with nothing said in between, is a double click or a retry."""


OWN_FOR = timedelta(minutes=15)
"""Time during which the author of a message may delete it."""


@transaction.atomic
def say(*, game_id: int, player: Player, text: str, now: datetime, room: Room = Room.TABLE) -> Message:
    """Add a line to the chat of the table, or to that of the spectators.

    A line that is sent again at once, because the response was lost, is stored once.
    """
    lock_player(player)  # the limits count the messages in all games
    game = lock_game(game_id)
    text = texts.normalize_text("talk", text)
    seated = access.find_seat(player, game) is not None
    if not access.may_see(player, game) or access.find_chat_room(player, game, seated=seated) != room:
        raise Refused("may_not_talk" if room == Room.TABLE else "may_not_comment")
    active_sanctions.must_be_free_to_speak(player, now)
    if not text:
        raise Refused("nothing_said")
    if len(text) > LONGEST_MESSAGE:
        raise Refused("talk_too_long", n=LONGEST_MESSAGE)
    last = Message.objects.filter(game=game, room=room).last()
    if last is not None and (last.author_id, last.text) == (player.pk, text) and abs(now - last.at) < AT_ONCE:
        return last
    limits.check_messages(player, now)
    return Message.objects.create(game=game, author=player, room=room, text=text, at=now)
