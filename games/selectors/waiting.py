"""The games that wait for a player, the next of them, and whether anything has happened.

Every page shows the number, and open pages poll for news. Each is one query that starts from the player's own
seats and invitations, however many games there are on the site.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from django.db import connection
from django.db.models import BooleanField, OuterRef, Q, QuerySet, Subquery, Value

from accounts.models import Player
from games import hooks
from games.models import Answer, Game, Seat, SeatState, Status, Visibility

JUST_FINISHED = timedelta(days=14)
WORDS_AGE = timedelta(minutes=15)
"""Interval after which a page must show the times left anew."""

MOST_FINISHED = 20
"""Maximum number of recently finished games that are read."""


def load_waiting_games(player: Player) -> list[Game]:
    """Return the games awaiting *player*, least time left first: codes, names and times. One query."""
    return list(Game.objects.raw(WAITING_GAMES, [player.pk]))


def count_waiting_games(player: Player) -> int:
    """Count the games in which it is *player*'s turn, for every page. One query."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT_OF_WAITING_GAMES, [player.pk])
        (number,) = cursor.fetchone()
    return int(number)


WAITING = f"""
  FROM games_seat seat
  JOIN games_game game ON game.id = seat.game_id AND game.awaited = seat."index"
 WHERE seat.player_id = %s AND seat.ended IS NULL AND seat.state = '{SeatState.PLAYING.value}'
   AND game.status = '{Status.PLAYING.value}' AND game.settles IS NULL
"""
"""The rest of a query about the games in which it is a player's turn."""

COUNT_OF_WAITING_GAMES = f"SELECT COUNT(*) {WAITING}"
WAITING_GAMES = f"""
SELECT game.id, game.code, game.name, game.version, game.turn_version, game.turn_began, game.deadline
{WAITING}
 ORDER BY game.deadline ASC NULLS LAST, game.id
"""


def find_next_waiting_game(player: Player, after: str = "") -> Game | None:
    """Return the game after the one with the code *after* in which it is *player*'s turn, cyclically by
    urgency; the most urgent one if *after* is not among them. ``None`` if there is no other."""
    return find_following(load_waiting_games(player), after)


def find_following(games: Sequence[Game], after: str) -> Game | None:
    """Return the game after that with the code *after*, cyclically; the first if it isn't among *games*."""
    at = next((index for index, game in enumerate(games) if game.code == after), -1)
    others = [*games[at + 1 :], *games[: max(at, 0)]]
    return others[0] if others else None


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a player's list as primary keys: games, and invitations to open tables."""

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


def load_parts_of_my_games(player: Player, now: datetime, latest: bool = False) -> Parts:
    """Load the parts of *player*'s list; running games by time left, or with *latest* by the latest turn. One
    query."""
    lately = connection.ops.adapt_datetimefield_value(now - JUST_FINISHED)
    who = player.pk
    known = [
        who,
        who,
        lately,
        who,
        player.email,
        who,
        lately,
        *(who for _source in hooks.PENDING_INVITATIONS),
    ]
    with connection.cursor() as cursor:
        cursor.execute(_write_query(latest), known)
        rows = cursor.fetchall()
    period = now.timestamp() // WORDS_AGE.total_seconds()
    parts = Parts(stamp=hashlib.sha256(f"{period} {sorted(map(str, rows))}".encode()).hexdigest()[:16])
    for pk, part, name, *_more in rows:
        if part:
            getattr(parts, part).append(pk)
        if name:
            parts.names[pk] = name
    parts.invited.reverse()
    return parts


@cache
def _write_query(latest: bool) -> str:
    """Return the query of :func:`load_parts_of_my_games`, with the invitations of other applications."""
    asked = "".join(
        f"UNION ALL SELECT asked.id, 'asked', '', 0, '', NULL, asked.since FROM ({source.sql}) asked"
        for source in hooks.PENDING_INVITATIONS
    )
    urgent = "" if latest else "deadline ASC NULLS LAST,"
    return f"{MY_GAMES} {asked} ORDER BY {urgent} since DESC NULLS LAST, pk"


MY_GAMES = f"""
WITH mine AS (
  SELECT game.*, seat."index", seat.state
    FROM games_seat seat
    JOIN games_game game ON game.id = seat.game_id
   WHERE seat.player_id = %s AND seat.ended IS NULL
     AND game.status IN ('{Status.OPEN.value}', '{Status.PLAYING.value}', '{Status.SCORING.value}')
)
SELECT id AS pk,
       CASE WHEN status = '{Status.OPEN.value}' THEN 'open'
            WHEN status = '{Status.PLAYING.value}' AND state = '{SeatState.OFFERED.value}' THEN 'lost'
            WHEN status = '{Status.PLAYING.value}' AND state = '{SeatState.PLAYING.value}'
                 AND awaited = "index" AND settles IS NULL THEN 'turn'
            ELSE 'waiting' END AS part,
       name, version AS number, status AS told, deadline, COALESCE(turn_began, created) AS since
  FROM mine
UNION ALL
SELECT game.id, CASE WHEN game.started IS NULL THEN '' ELSE 'finished' END, '', game.version, game.status,
       NULL, seat.ended
  FROM (SELECT game_id, ended FROM games_seat WHERE player_id = %s AND ended > %s
         ORDER BY ended DESC, game_id DESC LIMIT {MOST_FINISHED}) seat
  JOIN games_game game ON game.id = seat.game_id
UNION ALL
SELECT seat.id, '', '', COALESCE(seat.player_id, 0), seat.bot || COALESCE(CAST(mine.expires AS text), ''),
       NULL, mine.created
  FROM mine
  JOIN games_seat seat ON seat.game_id = mine.id
 WHERE mine.status = '{Status.OPEN.value}'
UNION ALL
SELECT invitation.id, 'invited', '', invitation.game_id, '', NULL, invitation.created
  FROM games_invitation invitation
  JOIN games_game game ON game.id = invitation.game_id
 WHERE (invitation.player_id = %s OR invitation.address = %s AND invitation.address <> '')
   AND invitation.answer = '{Answer.PENDING.value}' AND game.status = '{Status.OPEN.value}'
UNION ALL
SELECT invitation.id, '', '', invitation.game_id, '', NULL, invitation.created
  FROM mine
  JOIN games_invitation invitation ON invitation.game_id = mine.id
 WHERE mine.status = '{Status.OPEN.value}' AND invitation.answer = '{Answer.PENDING.value}'
UNION ALL
SELECT game.id, CASE WHEN game.visibility = '{Visibility.PRIVATE.value}' THEN '' ELSE 'followed' END, '',
       game.version, game.status, NULL, COALESCE(game.finished, game.turn_began)
  FROM games_followedgame followed
  JOIN games_game game ON game.id = followed.game_id
 WHERE followed.player_id = %s
   AND (game.status IN ('{Status.PLAYING.value}', '{Status.SCORING.value}') OR game.finished > %s)
"""
"""The entries of a player's list: own games, recently ended ones, invitations, and followed games. Without a
``part`` are those that only change its stamp: players at own open tables, and invitations to those."""


def find_games_without_deadline() -> QuerySet[Game]:
    """Find running games without a running clock: a program is awaited (``by_program`` is true, else empty),
    the last turn can still be undone, or the game is paused.

    ``by_program`` is a value, not an ``Exists``: next to an "or", PostgreSQL would read all seats of the site
    instead of one seat for each of these few games.
    """
    awaited = Seat.objects.filter(game=OuterRef("pk"), index=OuterRef("awaited"))
    program = awaited.filter(~Q(bot="") | ~Q(state=SeatState.PLAYING)).values(awaits=Value(True))[:1]
    still = Game.objects.filter(status=Status.PLAYING, deadline=None)
    return still.alias(by_program=Subquery(program, output_field=BooleanField()))
