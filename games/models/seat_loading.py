"""Loading the seats of a game with all that a turn and the page after it need of them, in one query."""

from __future__ import annotations

from django.db import models

from accounts.models import Player

from .game import Game, Move, Seat
from .holiday import PersonalTime
from .raw_sql import MultiModelQuery

SEATS = MultiModelQuery(
    """
SELECT {seat}, {player}, {kept},
       EXISTS (SELECT 1 FROM games_plan plan WHERE plan.seat_id = seat.id AND plan.settled IS NULL),
       (SELECT move.at FROM games_move move
         WHERE move.game_id = seat.game_id AND move.seat = seat."index" AND move.ply IS NOT NULL
         ORDER BY move.version DESC LIMIT 1)
  FROM games_seat seat
  LEFT JOIN accounts_player player ON player.id = seat.player_id
  LEFT JOIN games_personaltime kept ON kept.player_id = seat.player_id
 WHERE seat.game_id = %s
 ORDER BY seat."index"
""",
    {"seat": Seat, "player": Player, "kept": PersonalTime},
    [models.BooleanField(), Move._meta.get_field("at")],
)


def load_seats(game: Game) -> list[Seat]:
    """Return the seats of *game* in order, with their players and the players' ``PersonalTime``.

    Sets on each seat whether it has plans in force (``planned``), and when it last played, even if that was
    taken back (``last_played``).
    """
    loaded = []
    for (seat, player, kept), (planned, last_played) in SEATS.rows([game.pk]):
        Seat.game.field.set_cached_value(seat, game)
        Seat.player.field.set_cached_value(seat, player)
        if player is not None:
            PersonalTime.player.field.remote_field.set_cached_value(player, kept)
            if kept is not None:
                PersonalTime.player.field.set_cached_value(kept, player)
        seat.planned, seat.last_played = bool(planned), last_played
        loaded.append(seat)
    return loaded
