"""Which games wait for a player, which comes next, and whether anything has happened in them.

Every page asks for the number, and open pages ask for news now and then: each question is one query, led from
the player's own seats and invitations, however many games are played on the site.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from accounts.models import Player
from games.models import Game, prepared
from games.selectors import asked

JUST_FINISHED = timedelta(days=14)
WORDS_AGE = timedelta(minutes=15)
"""After that the times left that a page shows are to be told anew."""

NEWS = """
SELECT game.id, game.version, game.status, CAST(game.deadline AS text)
  FROM games_seat mine JOIN games_game game ON game.id = mine.game_id
 WHERE mine.player_id = %(player)s AND mine.ended IS NULL
UNION ALL
SELECT game.id, game.version, game.status, ''
  FROM (SELECT game_id FROM games_seat WHERE player_id = %(player)s AND ended IS NOT NULL
           AND ended > %(lately)s ORDER BY ended DESC, game_id DESC LIMIT 20) mine
  JOIN games_game game ON game.id = mine.game_id
UNION ALL
SELECT seat.id, COALESCE(seat.player_id, 0), seat.bot, CAST(game.expires AS text)
  FROM games_seat mine JOIN games_game game ON game.id = mine.game_id
  JOIN games_seat seat ON seat.game_id = game.id
 WHERE mine.player_id = %(player)s AND mine.ended IS NULL AND game.status = 'open'
UNION ALL
SELECT asked.id, game.id, asked.answer, CAST(asked.created AS text)
  FROM games_invitation asked JOIN games_game game ON game.id = asked.game_id
 WHERE asked.answer = 'pending' AND game.status = 'open'
   AND (asked.player_id = %(player)s OR (asked.address <> '' AND asked.address = %(address)s))
UNION ALL
SELECT asked.id, game.id, asked.answer, CAST(asked.created AS text)
  FROM games_seat mine JOIN games_game game ON game.id = mine.game_id
  JOIN games_invitation asked ON asked.game_id = game.id
 WHERE mine.player_id = %(player)s AND mine.ended IS NULL
   AND game.status = 'open' AND asked.answer = 'pending'
UNION ALL
SELECT game.id, game.version, game.status, game.visibility
  FROM games_followedgame watched JOIN games_game game ON game.id = watched.game_id
 WHERE watched.player_id = %(player)s
   AND (game.status IN ('playing', 'scoring') OR game.finished > %(lately)s)
UNION ALL
SELECT asked.id, 0, 'asked', CAST(asked.since AS text) FROM ({asked}) asked
 ORDER BY 1, 2, 3, 4
"""
"""All of a list's news at once: games, guests at open tables, invitations, games that are followed; and
invitations elsewhere (``asked.py``). Written out, as :data:`WAITING`
is, because putting this together anew takes Django thirty times as long as the database needs to answer."""


PARTS = """
SELECT id, part, name
  FROM (SELECT game.id, game.name, CASE WHEN %(latest)s = 0 THEN game.deadline END AS deadline,
               CASE WHEN %(latest)s = 1 AND game.status <> 'open' THEN game.turn_began
                    ELSE game.created END AS since,
               CASE WHEN game.status = 'open' THEN 'open'
                    WHEN game.awaited = mine."index" AND mine.state = 'playing'
                         AND game.settles IS NULL THEN 'turn'
                    ELSE 'waiting' END AS part
          FROM games_seat mine JOIN games_game game ON game.id = mine.game_id
         WHERE mine.player_id = %(player)s AND mine.ended IS NULL
           AND game.status IN ('open', 'playing', 'scoring')
        UNION ALL
        SELECT game.id, '', NULL, mine.ended, 'finished'
          FROM (SELECT game_id, ended FROM games_seat WHERE player_id = %(player)s AND ended IS NOT NULL
                   AND ended > %(lately)s ORDER BY ended DESC, game_id DESC LIMIT 20) mine
          JOIN games_game game ON game.id = mine.game_id AND game.started IS NOT NULL
        UNION ALL
        SELECT asked.id, '', NULL, asked.created, 'invited'
          FROM games_invitation asked JOIN games_game game ON game.id = asked.game_id
         WHERE asked.answer = 'pending' AND game.status = 'open'
           AND (asked.player_id = %(player)s OR (asked.address <> '' AND asked.address = %(address)s))
        UNION ALL
        SELECT game.id, '', NULL, COALESCE(game.finished, game.turn_began), 'followed'
          FROM games_followedgame watched JOIN games_game game ON game.id = watched.game_id
         WHERE watched.player_id = %(player)s AND game.visibility <> 'private'
           AND (game.status IN ('playing', 'scoring') OR game.finished > %(lately)s)
        UNION ALL
        SELECT asked.id, '', NULL, asked.since, 'asked' FROM ({asked}) asked
       ) listed
 ORDER BY deadline IS NULL, deadline, since DESC, id
"""
"""What a list of my games consists of, in its order. Of all games no more is read than the order needs,
only those of one page are read as a whole; of those that have just ended no more than the latest."""


WAITING = """
SELECT {what}
  FROM games_seat mine JOIN games_game game ON game.id = mine.game_id
 WHERE mine.player_id = %s AND mine.ended IS NULL AND mine.state = 'playing' AND mine."index" = game.awaited
   AND game.status = 'playing' AND game.settles IS NULL
"""
"""The games in which it is a player's turn."""

NUMBER_WAITING = WAITING.format(what="COUNT(*)")
IN_ORDER = f"""
{WAITING.format(what="game.id, game.code, game.name")}
 ORDER BY game.deadline IS NULL, game.deadline, game.id
"""


def waiting_games(player: Player) -> list[Game]:
    """Where it is *player*'s turn, least time left first: their codes and names; one query."""
    with prepared.cursor() as cursor:
        cursor.execute(IN_ORDER, [player.pk])
        return [Game.from_db(connection.alias, ("id", "code", "name"), row) for row in cursor.fetchall()]


def number_waiting(player: Player) -> int:
    """In how many games it is *player*'s turn, for every page; one query."""
    with prepared.cursor() as cursor:
        cursor.execute(NUMBER_WAITING, [player.pk])
        [number] = cursor.fetchone()
    return int(number)


def next_game(player: Player, after: str = "") -> Game | None:
    """The game that waits for *player* behind the one with the code *after*, in order of urgency and round
    again; the most urgent one if that one does not wait. ``None`` if no other game waits."""
    return following(waiting_games(player), after)


def following(games: Sequence[Game], after: str) -> Game | None:
    """The one of *games* behind that with the code *after*, round again; the first if it isn't there."""
    at = next((index for index, game in enumerate(games) if game.code == after), -1)
    others = [*games[at + 1 :], *games[: max(at, 0)]]
    return others[0] if others else None


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a player's list by primary key: games, and invitations to tables that are still open."""

    turn: list[int] = field(default_factory=list)  # theirs to play, least time left first, or latest turn
    waiting: list[int] = field(default_factory=list)  # for others likewise, then for programs
    invited: list[int] = field(default_factory=list)  # invitations, the first one first
    open: list[int] = field(default_factory=list)  # the newest first
    finished: list[int] = field(default_factory=list)  # lately, the last one first
    followed: list[int] = field(default_factory=list)  # games of others, the latest turn or end first
    asked: list[int] = field(default_factory=list)  # invitations elsewhere, the last one first
    names: dict[int, str] = field(default_factory=dict)  # of games that are not over, by primary key


def parts_of_my_games(player: Player, now: datetime, latest: bool = False) -> Parts:
    """All that goes on for *player*; what is played in order of the time that is left, or the *latest* turn
    first. One query."""
    parts = Parts()
    with connection.cursor() as cursor:
        cursor.execute(PARTS.format(asked=asked.rows()), _parameters(player, now) | {"latest": int(latest)})
        for pk, part, name in cursor.fetchall():
            getattr(parts, part).append(pk)
            if name:
                parts.names[pk] = name
    parts.invited.reverse()
    return parts


def my_games_stamp(player: Player, now: datetime) -> str:
    """A short text that changes whenever something has happened that *player*'s list of games shows."""
    with connection.cursor() as cursor:
        cursor.execute(NEWS.format(asked=asked.rows()), _parameters(player, now))
        rows = cursor.fetchall()
    told = now.timestamp() // WORDS_AGE.total_seconds()
    return hashlib.sha256(f"{told} {rows}".encode()).hexdigest()[:16]


def _parameters(player: Player, now: datetime) -> dict[str, Any]:
    """What the questions about a player's list are asked with."""
    lately = connection.ops.adapt_datetimefield_value(now - JUST_FINISHED)
    return {"player": player.pk, "address": player.email, "lately": lately}
