"""Background tasks, each of which claims a game and calls a service. Idempotent, and safe in parallel.

A message only speeds up what the rows say is left to do; ``sweep`` finds what a lost message left. The queue
of each task, and so what it may delay, is in the setting ``QUEUES``.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from celery import shared_task
from celery.app.task import Task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts.models import Player
from core import batches
from core.task_queue import QueuedOnce, SiteTask, queue_on_commit
from games import heartbeat, play, rules, tables
from games.bots import house
from games.exceptions import OutOfTime, Refused
from games.models import Game, How
from games.notices import delivery
from games.play import holidays, positions, reliability
from games.selectors.overdue_games import (
    find_games_for_the_bot,
    find_games_to_score,
    find_late_games,
    find_waiting_mails,
)

GAMES_A_SWEEP = 200  # maximum number of games to score, of games for the bot, and of mails
GAMES_A_SLICE = 100
SECONDS_A_SLICE = 1.0  # time that a slice may hold up the bots' queue
SECONDS_OF_HOLIDAYS = 10.0

ANSWER_MAIL = "games.mail_tasks.answer_mail"

logger = logging.getLogger(__name__)

Cursor = tuple[str, int]
"""Last game of a slice: the value of the column by which games are sorted, in ISO format, and its key."""


class Slice(NamedTuple):
    """The result of a slice: the last game *reached*, or ``None`` if there are no more; and whether all were
    done."""

    reached: Cursor | None
    sound: bool


@shared_task(base=QueuedOnce, ignore_result=True)
def deliver_notices() -> None:
    """Mail due notices; what takes longer than half a task's time limit is left to the next task."""
    if delivery.free(timezone.now(), delivery.OUTGOING).exists():
        queue_on_commit("games.tasks.deliver_outgoing")
    if delivery.deliver_due(seconds=settings.TASK_SECONDS / 2, channels=delivery.MAIL):
        queue_on_commit("games.tasks.deliver_notices")


@shared_task(base=QueuedOnce, ignore_result=True)
def deliver_outgoing() -> None:
    """Send due notices to push services and webhooks; the rest is left to the next task, as with mails."""
    if delivery.deliver_outgoing(seconds=settings.TASK_SECONDS / 2):
        queue_on_commit("games.tasks.deliver_outgoing")


@shared_task(ignore_result=True)
def score(game_id: int) -> None:
    """Play the final scoring of a game."""
    play.score(game_id=game_id, now=timezone.now())


@shared_task(ignore_result=True)
def settle(game_id: int) -> None:
    """Let a turn stand whose time to be undone is over."""
    play.settle(game_id=game_id, now=timezone.now())


@shared_task(ignore_result=True)
def play_bot(game_id: int) -> None:
    """Play the turn of a bot, or of a seat that resigned or lost on time: that one without meeples."""
    game = Game.objects.get(pk=game_id)
    if game.settles is not None:
        play.settle(game_id=game.pk, now=timezone.now())
        return
    if game.awaited is None:
        return
    seat = game.seats.get(index=game.awaited)
    if not seat.played_by_program:
        return
    state = rules.hide_secrets(positions.load_position(game).state, seat.index)
    action = house.choose(state, figures=not seat.left)
    try:
        play.play(
            game_id=game.pk,
            seat=seat.index,
            action=action,
            expected_version=game.version,
            now=timezone.now(),
            how=How.TIME_OUT if seat.left else How.BOT,
        )
    except OutOfTime:
        play.lose_on_time(game_id=game.pk, now=timezone.now())  # the hard end has come
    except Refused:
        return  # another worker has played this very turn, or the game has ended


@shared_task(ignore_result=True)
def follow_holidays(player: int, change: int | None = None, after: Cursor | None = None) -> None:
    """Update the clocks of a player's games after a change of their holidays, slice by slice. If one fails,
    the sweep starts all again."""
    if change is None:
        change = holidays.count_changes(player)
    games = holidays.find_running_games(Player.objects.get(pk=player))
    done = _slice(games, "created", after, play.follow_holidays, seconds=SECONDS_OF_HOLIDAYS)
    if done.reached is not None and done.sound:
        follow_holidays.delay(player, change, done.reached)
    elif done.sound:
        holidays.mark_followed(player, change)


@shared_task(bind=True, ignore_result=True)
def move_deadlines(self: Task) -> None:
    """Credit outages to the clocks that ran during them, slice by slice."""
    if not play.note_all_outages(seconds=SECONDS_A_SLICE):
        _go_on(self)


@shared_task(bind=True, ignore_result=True)
def expire(self: Task, after: Cursor | None = None) -> None:
    """Apply timeouts to overdue seats, slice by slice; not while outages have not been credited."""
    if heartbeat.list_noted_outages():
        return
    done = _slice(find_late_games(timezone.now()), "deadline", after, play.lose_on_time)
    if done.reached is not None:
        _go_on(self, done.reached)


@shared_task(bind=True, ignore_result=True)
def close_tables(self: Task, after: Cursor | None = None) -> None:
    """Close tables that nobody joined, or ask their hosts whether to keep them, slice by slice."""
    done = _slice(tables.find_tables_to_close(timezone.now()), "expires", after, tables.expire)
    if done.reached is not None:
        _go_on(self, done.reached)


@shared_task(base=QueuedOnce, ignore_result=True)
def follow_suspensions() -> None:
    """Withdraw suspended players' open tables and seats, and cancel their future holidays."""
    now = timezone.now()
    for player in tables.find_suspended_players(now)[:GAMES_A_SWEEP]:
        batches.run_row(f"player {player.pk}", partial(_follow_suspension, player, now))


def _follow_suspension(player: Player, now: datetime) -> None:
    with suppress(Refused):  # a table has just begun: what is left is left to the next time
        tables.withdraw_all(player=player, now=now)
        holidays.forgo(player=player, now=now)


@shared_task(ignore_result=True)
def count_turns() -> None:
    """Count turns in time for players' reliability, up to a few minutes ago; the rest is done next time."""
    reliability.count_turns(timezone.now(), seconds=settings.TASK_SECONDS / 2)


class Sweep(SiteTask):
    """The essential task: without it the site counts as down."""

    abstract = True
    essential = True


@shared_task(base=Sweep, ignore_result=True)
def sweep() -> None:
    """Save a heartbeat, then queue what is left to do, the most urgent first.

    Nothing is done here: each step looks, in a query or two, and queues. A step that fails, or kills the
    worker, doesn't stop the others.
    """
    now = timezone.now()
    try:
        heartbeat.beat(now)
    except SoftTimeLimitExceeded:
        raise
    except Exception:
        logger.exception("The heart could not beat")
    pieces = (
        queue_scoring,
        queue_bots,
        queue_inbox,
        queue_delivery,
        queue_deadlines,
        queue_holidays,
        queue_closing,
    )
    for piece in pieces:
        batches.run_row(piece.__name__, partial(piece, now), writes=False)


def queue_scoring(now: datetime) -> None:
    """Queue final scorings."""
    resting = batches.list_resting_tasks(score.name)
    for game_id in find_games_to_score().exclude(pk__in=resting)[:GAMES_A_SWEEP]:
        _queue(score, game_id)


def queue_bots(now: datetime) -> None:
    """Queue turns of the house bot, and turns that can no longer be undone."""
    resting = batches.list_resting_tasks(play_bot.name)
    for game_id in find_games_for_the_bot(now).exclude(pk__in=resting)[:GAMES_A_SWEEP]:
        _queue(play_bot, game_id)


def queue_inbox(now: datetime) -> None:
    """Queue mails waiting in the inbox."""
    waiting = list(find_waiting_mails(now)[:GAMES_A_SWEEP])
    resting = set(batches.list_resting_tasks(ANSWER_MAIL)) if waiting else set()
    for mail_id in waiting:
        if mail_id not in resting:
            _queue(import_string(ANSWER_MAIL), mail_id)


def queue_delivery(now: datetime) -> None:
    _queue(deliver_notices)
    if delivery.free(now, delivery.OUTGOING).exists():
        _queue(deliver_outgoing)


def queue_deadlines(now: datetime) -> None:
    """Queue crediting of outages; if none is left, queue timeouts."""
    if heartbeat.list_noted_outages():
        _queue(move_deadlines)
    elif find_late_games(now).exists():
        _queue(expire)


def queue_holidays(now: datetime) -> None:
    """Queue updates of deadlines after changed holidays."""
    resting = set(batches.list_resting_tasks(follow_holidays.name))
    for player in holidays.find_players_to_follow()[: GAMES_A_SWEEP + len(resting)]:
        if player not in resting:
            _queue(follow_holidays, player)


def queue_closing(now: datetime) -> None:
    """Queue closing of tables that nobody joined."""
    if tables.find_tables_to_close(now).exists():
        _queue(close_tables)


def _queue(task: Task, *args: int) -> None:
    """Queue *task*; the message expires when the next sweep queues another."""
    task.apply_async(args=args, expires=settings.SWEEP_SECONDS)


def _go_on(task: Task, *args: Cursor) -> None:
    """Queue *task* again behind what waits now, to continue with *args*; it expires with the original, as the
    next sweep queues another."""
    until: Any = task.request.expires  # in ISO format
    task.apply_async(args=args, expires=datetime.fromisoformat(until) if until else settings.SWEEP_SECONDS)


def _slice(
    games: QuerySet[Game],
    by: str,
    after: Cursor | None,
    act: Callable[..., object],
    *,
    seconds: float | None = None,
) -> Slice:
    """Apply *act* to those of *games* after *after*, in the order of the column *by*, each in a transaction
    of its own, for about so many *seconds* (a short time, so that bots need not wait).

    Games that fail, and those locked by others, if the database can tell, are left to a later sweep.
    """
    stop = time.monotonic() + (SECONDS_A_SLICE if seconds is None else seconds)
    now, sound = timezone.now(), True
    if after is not None:
        value, key = after
        games = games.filter(Q(**{f"{by}__gt": value}) | Q(**{by: value}, pk__gt=key))
    taken = list(games.order_by(by, "pk").values_list("pk", by)[:GAMES_A_SLICE])
    for number, (game_id, value) in enumerate(taken, start=1):
        acted: list[bool] = []
        done = batches.run_row(f"game {game_id}", partial(_act_locked, game_id, act, now, acted))
        sound &= done and any(acted)
        if number == GAMES_A_SLICE or (number < len(taken) and time.monotonic() > stop):
            return Slice((value.isoformat(), game_id), sound)
    return Slice(None, sound)


def _act_locked(game_id: int, act: Callable[..., object], now: datetime, acted: list[bool]) -> None:
    """Apply *act* to a game, unless it is locked; append to *acted* whether it was applied."""
    with transaction.atomic():
        acted.append(_lock_game(game_id))
        if acted[-1]:
            act(game_id=game_id, now=now)


def _lock_game(game_id: int) -> bool:
    """Lock the row of a game without waiting; return whether it is locked by us."""
    if not connection.features.has_select_for_update_skip_locked:
        return True
    return Game.objects.select_for_update(skip_locked=True).filter(pk=game_id).exists()
