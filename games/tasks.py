"""Edges of the program that nobody asks for: each claims and calls. Idempotent, and safe beside another.

A message only makes sooner what the rows say is left to do; ``sweep`` finds what a lost message forgot.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime

from celery import shared_task
from celery.app.task import Task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from carcassonne.celery import QueuedOnce, on_commit
from games import clocks, heartbeat, play, rules, tables
from games.bots import house
from games.exceptions import Refused
from games.models import Game, How, Seat, SeatState, Status
from games.notices import delivery
from games.play import positions

GAMES_A_SWEEP = 200  # to score, and as many for the bot
SECONDS_A_PIECE = 10.0  # of the sweep

logger = logging.getLogger(__name__)


@shared_task(base=QueuedOnce, ignore_result=True)
def deliver_notices() -> None:
    """Send what is due; what takes longer than half the time of a task is left to the next one.

    Has a queue and a worker of its own: a slow mail server must not keep the other tasks waiting.
    """
    if delivery.deliver_due(seconds=settings.TASK_SECONDS / 2):
        on_commit("games.tasks.deliver_notices")


@shared_task(ignore_result=True)
def score(game_id: int) -> None:
    """Play the final scoring of a game that waits for it."""
    play.score(game_id=game_id, now=timezone.now())


@shared_task(ignore_result=True)
def play_bot(game_id: int) -> None:
    """Play the turn of a bot, or of a seat that resigned or lost on time: that one without meeples."""
    game = Game.objects.get(pk=game_id)
    if game.awaited is None:
        return
    seat = game.seats.get(index=game.awaited)
    if not seat.played_by_program:
        return
    state = rules.view(positions.position(game).state, seat.index)
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
    except Refused:
        return  # another worker has played this very turn, or the game has ended


@shared_task(ignore_result=True)
def sweep() -> None:
    """The beat: note that we live, then do whatever is left to do, the most urgent first.

    A piece that fails keeps no other from being done. No piece takes long, so that the heart goes on beating
    however much there is to do; what is left then is left to the next sweep.
    """
    now = timezone.now()
    for piece in (heartbeat.beat, queue_scoring, queue_bots, queue_delivery, expire):
        try:
            piece(now)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("The sweep failed in %s", piece.__name__)


def queue_scoring(now: datetime) -> None:
    """Have the games scored that wait for it."""
    for game_id in games_to_score()[:GAMES_A_SWEEP]:
        _queue(score, game_id)


def queue_bots(now: datetime) -> None:
    """Have the turns played that wait for the house bot."""
    for game_id in games_for_the_bot()[:GAMES_A_SWEEP]:
        _queue(play_bot, game_id)


def queue_delivery(now: datetime) -> None:
    """Have delivered what is due."""
    _queue(deliver_notices)


def expire(now: datetime) -> None:
    """Move the deadlines that fell into an outage; if none is left, let seats lose whose time has run out,
    and close tables that nobody joined."""
    if not heartbeat.move_deadlines(seconds=SECONDS_A_PIECE):
        return
    stop = time.monotonic() + SECONDS_A_PIECE
    late = Game.objects.filter(status=Status.PLAYING, deadline__lt=now - clocks.ARRIVAL)
    _each(late.order_by("deadline"), play.lose_on_time, now, stop)
    _each(Game.objects.filter(status=Status.OPEN, expires__lt=now), tables.expire, now, stop)


def _queue(task: Task, *args: int) -> None:
    """Queue *task*, or rather a message that nobody heeds any more once the next sweep has queued another."""
    task.apply_async(args=args, expires=settings.SWEEP_SECONDS)


def _each(games: QuerySet[Game], act: Callable[..., object], now: datetime, stop: float) -> None:
    """Let *act* be done to each of *games*, until *stop* on the monotonic clock; a fault in one must not keep
    the others from it."""
    for game_id in games.values_list("pk", flat=True):
        try:
            act(game_id=game_id, now=now)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("%s failed for game %s", act.__name__, game_id)
        if time.monotonic() > stop:
            return


def games_to_score() -> QuerySet[Game, int]:
    """Games that wait for the final scoring, the longest first."""
    return Game.objects.filter(status=Status.SCORING).order_by("turn_began").values_list("pk", flat=True)


def games_for_the_bot() -> QuerySet[Game, int]:
    """Games that wait for the house bot, the longest first; only they are played without a deadline."""
    awaited = Seat.objects.filter(game=OuterRef("pk"), index=OuterRef("awaited"))
    by_program = Exists(awaited.filter(~Q(bot="") | ~Q(state=SeatState.PLAYING)))
    waiting = Game.objects.filter(by_program, status=Status.PLAYING, deadline=None)
    return waiting.order_by("turn_began").values_list("pk", flat=True)
