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

from accounts.models import Player
from carcassonne.celery import QueuedOnce, on_commit
from games import clocks, heartbeat, play, rules, tables
from games.bots import house
from games.exceptions import Refused
from games.models import Game, How, Seat, SeatState, Status
from games.notices import delivery
from games.play import holidays, positions, reliability

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
def follow_holidays(player: int) -> None:
    """Let the clocks of a player's games follow their holidays, which have changed; what takes longer than
    half the time of a task is begun anew by the sweep."""
    change, now = holidays.reached(player), timezone.now()
    games = holidays.running_games(Player.objects.get(pk=player))
    if _each(games, play.follow_holidays, now, time.monotonic() + settings.TASK_SECONDS / 2):
        holidays.followed(player, change)


@shared_task(base=QueuedOnce, ignore_result=True)
def follow_suspensions() -> None:
    """Withdraw open tables and seats of those who are suspended, and their holidays that were to come."""
    now = timezone.now()
    for player in tables.suspended_with_something(now)[:GAMES_A_SWEEP]:
        try:
            tables.withdraw_all(player=player, now=now)
            holidays.forgo(player=player, now=now)
        except Refused:
            continue  # a table has just begun: what is left is left to the next time


@shared_task(ignore_result=True)
def count_turns() -> None:
    """Count how players keep time, up to a few minutes ago; what is left is left to the next time."""
    reliability.count_turns(timezone.now(), seconds=settings.TASK_SECONDS / 2)


@shared_task(ignore_result=True)
def sweep() -> None:
    """The beat: note that we live, then do whatever is left to do, the most urgent first.

    A piece that fails keeps no other from being done. No piece takes long, so that the heart goes on beating
    however much there is to do; what is left then is left to the next sweep.
    """
    now = timezone.now()
    pieces = (
        heartbeat.beat,
        queue_scoring,
        queue_bots,
        queue_delivery,
        queue_holidays,
        expire,
    )
    for piece in pieces:
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
    """Have the turns played that wait for the house bot, and those stand that can't be undone any more."""
    for game_id in games_for_the_bot(now)[:GAMES_A_SWEEP]:
        _queue(play_bot, game_id)


def queue_delivery(now: datetime) -> None:
    """Have delivered what is due."""
    _queue(deliver_notices)


def queue_holidays(now: datetime) -> None:
    """Have the deadlines follow that don't yet."""
    for player in holidays.to_follow()[:GAMES_A_SWEEP]:
        _queue(follow_holidays, player)


def expire(now: datetime) -> None:
    """Stop the clocks that ran in an outage meanwhile; if none is left, let seats lose whose time has run
    out, and close tables that nobody joined."""
    if not play.note_all_outages(seconds=SECONDS_A_PIECE):
        return
    stop = time.monotonic() + SECONDS_A_PIECE
    late = Game.objects.filter(status=Status.PLAYING, deadline__lt=now - clocks.ARRIVAL)
    _each(late.order_by("deadline"), play.lose_on_time, now, stop)
    _each(tables.soon_closed(now), tables.expire, now, stop)


def _queue(task: Task, *args: int) -> None:
    """Queue *task*, or rather a message that nobody heeds any more once the next sweep has queued another."""
    task.apply_async(args=args, expires=settings.SWEEP_SECONDS)


def _each(games: QuerySet[Game], act: Callable[..., object], now: datetime, stop: float) -> bool:
    """Let *act* be done to each of *games*, until *stop* on the monotonic clock; a fault in one must not keep
    the others from it. Answers whether none is left."""
    for game_id in games.values_list("pk", flat=True):
        try:
            act(game_id=game_id, now=now)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("%s failed for game %s", act.__name__, game_id)
        if time.monotonic() > stop:
            return False
    return True


def games_to_score() -> QuerySet[Game, int]:
    """Games that wait for the final scoring, the longest first."""
    return Game.objects.filter(status=Status.SCORING).order_by("turn_began").values_list("pk", flat=True)


def games_for_the_bot(now: datetime) -> QuerySet[Game, int]:
    """Games that wait for the house bot, or whose last turn can't be undone any more, the longest first."""
    awaited = Seat.objects.filter(game=OuterRef("pk"), index=OuterRef("awaited"))
    by_program = Exists(awaited.filter(~Q(bot="") | ~Q(state=SeatState.PLAYING)))
    # Only these, and a few that stand still, are played without a deadline.
    waiting = Game.objects.filter(by_program | Q(settles__lt=now), status=Status.PLAYING, deadline=None)
    return waiting.order_by("turn_began").values_list("pk", flat=True)
