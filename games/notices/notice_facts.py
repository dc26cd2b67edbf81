"""The facts from which mails are written, read for many notices in a few queries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import connection
from django.db.models import BooleanField, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.models import Player
from games.models import Channel, Game, Holiday, Invitation, Kind, Move, Notice, Visit
from games.models.notice import NoticeFacts
from games.models.raw_sql import MultiModelQuery
from games.play import move_cache, positions
from games.selectors.contests import load_contests
from games.selectors.seats import find_own_seat, load_seats_of_all

PICTURED = (Kind.YOUR_TURN, Kind.REMINDER, Kind.STARTED, Kind.GAME_OVER, Kind.TIME_OUT, Kind.REPLY)
"""Kinds of notices that can't be written without the position."""

TOLD_OF_BEGIN = f"('{Kind.STARTED.value}', '{Kind.YOUR_TURN.value}')"
"""Kinds of notices that tell the recipient that the game has begun, as an SQL list."""

DUE = MultiModelQuery(
    """
SELECT {notice}, {game}, {recipient}, {invitation}, {inviter}
  FROM games_notice notice
  LEFT JOIN games_game game ON game.id = notice.game_id
  LEFT JOIN accounts_player recipient ON recipient.id = notice.recipient_id
  LEFT JOIN games_invitation invitation ON invitation.id = notice.invitation_id
  LEFT JOIN accounts_player inviter ON inviter.id = invitation.inviter_id
 WHERE notice.sent IS NULL AND notice.dropped IS NULL AND notice.next_try <= %s
   AND notice.channel IN (%s, %s, %s)
   AND (notice.claimed IS NULL OR notice.claimed < %s OR notice.claimed > %s)
   AND (notice.lost > 0 OR notice.claimed IS NOT NULL) = %s
 ORDER BY notice.next_try, notice.id
 LIMIT %s
""",
    {"notice": Notice, "game": Game, "recipient": Player, "invitation": Invitation, "inviter": Player},
)
FACTS = MultiModelQuery(
    f"""
SELECT notice.id,
       (SELECT visit.seen FROM games_visit visit
         WHERE visit.game_id = notice.game_id AND visit.player_id = notice.recipient_id LIMIT 1),
       EXISTS (SELECT 1 FROM games_notice told
                WHERE told.game_id = notice.game_id AND told.recipient_id = notice.recipient_id
                  AND told.id <> notice.id AND told.sent IS NOT NULL AND told.kind IN {TOLD_OF_BEGIN})
       OR EXISTS (SELECT 1 FROM games_prunednotice told
                   WHERE told.game_id = notice.game_id AND told.recipient_id = notice.recipient_id
                     AND told.sent IS NOT NULL AND told.kind IN {TOLD_OF_BEGIN}),
       (SELECT MAX(told.sent) FROM games_notice told
         WHERE told.game_id = notice.game_id AND told.recipient_id = notice.recipient_id
           AND told.version = notice.version AND told.channel = notice.channel),
       EXISTS (SELECT 1 FROM games_plan plan JOIN games_seat seat ON seat.id = plan.seat_id
                WHERE seat.game_id = notice.game_id AND seat.player_id = notice.recipient_id),
       (SELECT MAX(holiday."end") FROM games_holiday holiday
         WHERE holiday.player_id = notice.recipient_id AND holiday."begin" <= %s AND holiday."end" > %s)
  FROM games_notice notice
 WHERE notice.id IN """,
    {},
    [
        Notice._meta.get_field("id"),
        Visit._meta.get_field("seen"),
        BooleanField(),
        Notice._meta.get_field("sent"),
        BooleanField(),
        Holiday._meta.get_field("end"),
    ],
)


def load_due_notices(
    now: datetime,
    channels: Sequence[Channel],
    claimed: tuple[datetime, datetime],
    most: int,
    *,
    lost: bool = False,
    ending: str = "",
) -> list[Notice]:
    """Return at most so many due notices of *channels* with their related rows, the oldest first; none
    *claimed* between these times.

    :param lost: only those of which a claim was lost, instead of all others
    :param ending: appended to the query
    """
    due, after, before = (connection.ops.adapt_datetimefield_value(at) for at in (now, *claimed))
    wanted = [channels[at % len(channels)].value for at in range(len(Channel))]  # each once at least
    rows = DUE.rows([due, *wanted, after, before, lost, most], ending=ending)
    return [_notice(*row.models) for row in rows]


def _notice(
    notice: Notice,
    game: Game | None,
    recipient: Player | None,
    invitation: Invitation | None,
    inviter: Player | None,
) -> Notice:
    Notice.game.field.set_cached_value(notice, game)
    Notice.recipient.field.set_cached_value(notice, recipient)
    Notice.invitation.field.set_cached_value(notice, invitation)
    if invitation is not None:
        Invitation.inviter.field.set_cached_value(invitation, inviter)
    return notice


def read(notices: Collection[Notice]) -> None:
    """Read the facts of all *notices*, and the positions of their games. Three queries, and those of the
    games' contests."""
    of_games = [notice for notice in notices if notice.game_id is not None]
    if not of_games:
        return
    seats = load_seats_of_all(notice.of_game for notice in of_games)
    known = _of_readers(of_games)
    contests = load_contests(notice.of_game for notice in of_games)
    for notice in of_games:
        seen, told_before, last_mail, planned, holiday_ends = known[notice.pk]
        at_table = seats.get(notice.of_game.pk, [])
        reader = notice.recipient
        notice.facts = NoticeFacts(
            at_table,
            None if reader is None else find_own_seat(at_table, reader),
            seen,
            bool(told_before),
            last_mail,
            bool(planned),
            holiday_ends,
            contests.get(notice.of_game.pk),
        )
    _bring_positions(notice for notice in of_games if notice.kind in PICTURED)


def load_facts(notice: Notice) -> NoticeFacts:
    """Return the facts of *notice*, which is about a game; read them if needed."""
    if notice.facts is None:
        read([notice])
    assert notice.facts is not None
    return notice.facts


def forget(notice: Notice, others: Iterable[Notice]) -> None:
    """Forget the facts of *others* with the recipient and game of *notice*, which was just sent."""
    for other in others:
        if other.game_id == notice.game_id and other.recipient_id == notice.recipient_id:
            other.facts = None


def _of_readers(notices: Collection[Notice]) -> dict[int, tuple[Any, ...]]:
    """Return the columns of ``FACTS`` by the notices' primary keys."""
    keys = [notice.pk for notice in notices]
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    rows = FACTS.rows([now, now, *keys], ending=f"({', '.join(['%s'] * len(keys))})")
    return {row.more[0]: row.more[1:] for row in rows}


def _bring_positions(notices: Iterable[Notice]) -> None:
    """Cache the positions and the latest moves of the games of *notices*: one query for all without an
    earlier cached position, and one for each of the others."""
    missing: dict[int, Game] = {}
    for notice in notices:
        if not positions.update_cached_position(notice.of_game):
            missing[notice.of_game.pk] = notice.of_game
    if not missing:
        return
    # As text, because the database's converter of JSON costs more than reading all of a game at once.
    stored = Move.objects.in_force().filter(game__in=missing).order_by("game", "version")
    texts = stored.annotate(
        action_text=Cast("action", TextField()), events_text=Cast("events", TextField())
    ).values_list("game_id", "version", "ply", "seat", "action_text", "events_text", "how")
    for pk, group in groupby(texts, itemgetter(0)):
        game, moves = missing[pk], move_cache.read_all(row[1:] for row in group)
        if moves[-1]["version"] == game.version:
            positions.rebuild(game, game.version, moves)
        # Otherwise the game has gone on since its row was read: it is read alone when needed.
