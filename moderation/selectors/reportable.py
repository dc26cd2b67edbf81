"""People and messages that a player can report."""

from __future__ import annotations

from accounts.models import Player
from games.access import Visitor, find_seat, list_visible_rooms
from games.models import Game, Message


def load_reportable_players(game: Game, viewer: Player) -> dict[int, Player]:
    """Return the players of *game* whom *viewer* can report, by key in the order of seats; one query."""
    seats = game.seats.filter(player__is_bot=False, player__closed=None).exclude(player=viewer)
    players = (seat.player for seat in seats.select_related("player").order_by("index"))
    return {player.pk: player for player in players if player is not None}


def find_audible_message(game: Game, viewer: Visitor, pk: int) -> Message | None:
    """Return the message with this key, with its author, if *viewer* may read it."""
    rooms = list_visible_rooms(game, seated=find_seat(viewer, game) is not None)
    return game.talk.filter(pk=pk, room__in=rooms).select_related("author").first()
