"""Nudges: a player of a running game reminds the one it waits for."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from core.task_queue import queue_on_commit
from games import clocks, outbox
from games.conduct import blocks, contacts, limits
from games.exceptions import Refused
from games.models import Game, Seat
from games.play.locks import lock_players_of
from games.play.timing import build_turn, load_holidays
from games.play.turns import open_ledger_at_seat

PATIENCE = clocks.DAY
"""Minimum time for which a turn has lasted before its player may be nudged."""


def build_nudge_group(game: Game) -> str:
    """The group of all nudges in *game*."""
    return f"nudge.{game.code}"


def may_be_nudged(game: Game, me: Seat | None, awaited: Seat | None, now: datetime) -> bool:
    """Return whether the player at *me* may nudge the one at *awaited*: the turn has lasted a day, its clock
    runs, and the player is not on holiday. One query if a day has passed."""
    if me is None or awaited is None or me == awaited or not me.played_by_person:
        return False
    if not awaited.played_by_person or game.deadline is None or game.turn_began is None:
        return False
    if not game.turn_began + PATIENCE <= now < game.deadline or awaited.player_id is None:
        return False
    holidays = load_holidays([awaited.player_id], now)[awaited.player_id]
    on_holiday = any(holiday.begin <= now < holiday.end for holiday in holidays)
    return not on_holiday and not build_turn(game, awaited, holidays).is_stopped(now)


@transaction.atomic
def nudge(*, game_id: int, seat: int, now: datetime) -> Game:
    """Remind the player for whom the game waits, on behalf of *seat*: once a day for the whole table.

    :raises Refused: the turn has not lasted a day, the clock stands still, or they have blocked each other
    :raises TooMany: somebody has nudged them today
    """
    lock_players_of(game_id)
    ledger, mine = open_ledger_at_seat(game_id, seat, now)
    game = ledger.game
    awaited = None if game.awaited is None else ledger.seats[game.awaited]
    if awaited is None or not may_be_nudged(game, mine, awaited, now):
        raise Refused("nothing_to_nudge")
    assert mine.player is not None and awaited.player is not None
    if blocks.find_blocked_pairs([mine.player.pk, awaited.player.pk]):
        raise Refused("nothing_to_nudge")
    group = build_nudge_group(game)
    contacts.record_contacts(limits.NUDGE, mine.player, [awaited.player], now=now, group=group)
    outbox.nudge_player(game, awaited, mine.player, now=now)
    queue_on_commit("games.tasks.deliver_notices")
    return game
