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
from games.models import Game
from games.selectors import asked

JUST_FINISHED = timedelta(days=14)
WORDS_AGE = timedelta(minutes=15)
"""After that the times left that a page shows are to be told anew."""

MY_GAMES = """
WITH mine AS (
    SELECT game.id, game.name, game.version, game.status, game.deadline, game.created, game.turn_began,
           game.expires,
           CASE WHEN game.status = 'open' THEN 'open'
                WHEN game.status = 'playing' AND seat.state = 'offered' THEN 'lost'
                WHEN game.awaited = seat."index" AND seat.state = 'playing'
                     AND game.settles IS NULL THEN 'turn'
                ELSE 'waiting' END AS part
      FROM games_seat seat JOIN games_game game ON game.id = seat.game_id
     WHERE seat.player_id = %(player)s AND seat.ended IS NULL
       AND game.status IN ('open', 'playing', 'scoring')
)
SELECT id, part, name, number, told
  FROM (SELECT id, name, version AS number, status || COALESCE(CAST(deadline AS text), '') AS told,
               CASE WHEN %(latest)s = 0 THEN deadline END AS deadline,
               CASE WHEN %(latest)s = 1 AND status <> 'open' THEN turn_began ELSE created END AS since, part
          FROM mine
        UNION ALL
        SELECT game.id, '', game.version, game.status, NULL, over_lately.ended,
               CASE WHEN game.started IS NULL THEN '' ELSE 'finished' END
          FROM (SELECT game_id, ended FROM games_seat WHERE player_id = %(player)s AND ended IS NOT NULL
                   AND ended > %(lately)s ORDER BY ended DESC, game_id DESC LIMIT 20) over_lately
          JOIN games_game game ON game.id = over_lately.game_id
        UNION ALL
        SELECT seat.id, '', COALESCE(seat.player_id, 0),
               seat.bot || COALESCE(CAST(mine.expires AS text), ''), NULL, mine.created, ''
          FROM mine JOIN games_seat seat ON seat.game_id = mine.id
         WHERE mine.status = 'open'
        UNION ALL
        SELECT asked.id, '', game.id, asked.answer, NULL, asked.created, 'invited'
          FROM games_invitation asked JOIN games_game game ON game.id = asked.game_id
         WHERE asked.answer = 'pending' AND game.status = 'open'
           AND (asked.player_id = %(player)s OR (asked.address <> '' AND asked.address = %(address)s))
        UNION ALL
        SELECT asked.id, '', mine.id, asked.answer, NULL, asked.created, ''
          FROM mine JOIN games_invitation asked ON asked.game_id = mine.id
         WHERE mine.status = 'open' AND asked.answer = 'pending'
        UNION ALL
        SELECT game.id, '', game.version, game.status, NULL, COALESCE(game.finished, game.turn_began),
               CASE WHEN game.visibility = 'private' THEN '' ELSE 'followed' END
          FROM games_followedgame watched JOIN games_game game ON game.id = watched.game_id
         WHERE watched.player_id = %(player)s
           AND (game.status IN ('playing', 'scoring') OR game.finished > %(lately)s)
        UNION ALL
        SELECT asked.id, '', 0, '', NULL, asked.since, 'asked' FROM ({asked}) asked
       ) listed
 ORDER BY deadline IS NULL, deadline, since DESC, id
"""
"""What a list of my games consists of, in its order, and what else is news to it: guests at my open tables,
and invitations to them. Of all games no more is read than the order and the news need, only those of one page
are read as a whole; of those that have just ended no more than the latest. Written out, as :data:`WAITING`
is, because putting this together anew takes Django thirty times as long as the database needs to answer."""


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
    with connection.cursor() as cursor:
        cursor.execute(IN_ORDER, [player.pk])
        return [Game.from_db(connection.alias, ("id", "code", "name"), row) for row in cursor.fetchall()]


def number_waiting(player: Player) -> int:
    """In how many games it is *player*'s turn, for every page; one query."""
    with connection.cursor() as cursor:
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

    stamp: str = ""  # changes whenever something has happened that the list shows
    turn: list[int] = field(default_factory=list)  # theirs to play, least time left first, or latest turn
    waiting: list[int] = field(default_factory=list)  # for others likewise, then for programs
    lost: list[int] = field(default_factory=list)  # the bot stands in, until they come back or are replaced
    invited: list[int] = field(default_factory=list)  # invitations, the first one first
    open: list[int] = field(default_factory=list)  # the newest first
    finished: list[int] = field(default_factory=list)  # lately, the last one first
    followed: list[int] = field(default_factory=list)  # games of others, the latest turn or end first
    asked: list[int] = field(default_factory=list)  # invitations elsewhere, the last one first
    names: dict[int, str] = field(default_factory=dict)  # of games that are not over, by primary key


def parts_of_my_games(player: Player, now: datetime, latest: bool = False) -> Parts:
    """All that goes on for *player*; what is played in order of the time that is left, or the *latest* turn
    first. One query."""
    parameters: dict[str, Any] = {
        "player": player.pk,
        "address": player.email,
        "lately": connection.ops.adapt_datetimefield_value(now - JUST_FINISHED),
        "latest": int(latest),
    }
    with connection.cursor() as cursor:
        cursor.execute(MY_GAMES.format(asked=asked.rows()), parameters)
        rows = cursor.fetchall()
    told = now.timestamp() // WORDS_AGE.total_seconds()
    parts = Parts(stamp=hashlib.sha256(f"{told} {sorted(rows)}".encode()).hexdigest()[:16])
    for pk, part, name, *_news in rows:
        if part:
            getattr(parts, part).append(pk)
        if name:
            parts.names[pk] = name
    parts.invited.reverse()
    return parts
