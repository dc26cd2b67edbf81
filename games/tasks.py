"""Edges of the program that nobody asks for: each claims and calls. Idempotent, and safe beside another.

A message only makes sooner what the rows say is left to do; ``sweep`` finds what a lost message forgot.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games import clocks, heartbeat, play, rules, tables
from games.bots import house
from games.exceptions import Refused
from games.models import Game, How, Seat, SeatState, Status
from games.notices import delivery
from games.play import positions

SECONDS_A_PIECE = 10.0  # of the sweep: what is left then is left to the next one

logger = logging.getLogger(__name__)


@shared_task(ignore_result=True)
def deliver_notices() -> None:
    """Send what is due; what takes longer than half the time of a task is left to the next one."""
    if delivery.deliver_due(seconds=settings.TASK_SECONDS / 2):
        deliver_notices.delay()


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
    """The beat: note that we live, put off what fell into an outage, then do whatever is left to do."""
    now = timezone.now()
    heartbeat.beat(now)
    if heartbeat.move_deadlines(seconds=SECONDS_A_PIECE):
        expire(now)
    for game_id in games_to_score():
        score.delay(game_id)
    for game_id in games_for_the_bot():
        play_bot.delay(game_id)
    deliver_notices.delay()


def expire(now: datetime) -> None:
    """Let seats lose whose time has run out, and close tables that nobody joined."""
    late = Game.objects.filter(status=Status.PLAYING, deadline__lt=now - clocks.ARRIVAL)
    _each(late, play.lose_on_time, now)
    _each(Game.objects.filter(status=Status.OPEN, expires__lt=now), tables.expire, now)


def _each(games: QuerySet[Game], act: Callable[..., object], now: datetime) -> None:
    """Let *act* be done to each of *games*; a fault in one must not keep the others from it."""
    for game_id in games.values_list("pk", flat=True):
        try:
            act(game_id=game_id, now=now)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("%s failed for game %s", act.__name__, game_id)


def games_to_score() -> list[int]:
    """Games that wait for the final scoring."""
    return list(Game.objects.filter(status=Status.SCORING).values_list("pk", flat=True))


def games_for_the_bot() -> list[int]:
    """Games that wait for the house bot; only they are played without a deadline."""
    awaited = Seat.objects.filter(game=OuterRef("pk"), index=OuterRef("awaited"))
    by_program = Exists(awaited.filter(~Q(bot="") | ~Q(state=SeatState.PLAYING)))
    waiting = Game.objects.filter(by_program, status=Status.PLAYING, deadline=None)
    return list(waiting.values_list("pk", flat=True))
