"""The heartbeat of the sweep: its last run, and outages not yet credited to the games.

The beat that ends an outage saves it as a row: ``name`` is its begin, ``at`` its end, and ``reached`` how far
the games have been credited (``games/play/clock_pauses.py``). The row is deleted after the last game.

A beat in the future was written before the clock was set back. It does not tell when the last one was, so it
may not hide an outage: nobody loses on time until the next one corrects it.
"""

import logging
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Self, cast

from django.db import connection, transaction
from django.db.models import BooleanField

from games import clocks
from games.models import Game, Heartbeat, InboundMail, MailState, Notice
from games.models.raw_sql import MultiModelQuery

HEART = "sweep"
OUTAGE = "outage %y%m%d%H%M%S"  # its beginning, in UTC and whole seconds: a name has room for 20 characters
SKEW = timedelta(minutes=1)
"""Maximum difference between the clocks of two machines, and maximum delay before a sweep writes its beat."""

LONG_AGO = datetime.min.replace(tzinfo=UTC)

LOCKED = MultiModelQuery(
    """
SELECT {game}, EXISTS (SELECT 1 FROM games_heartbeat noted WHERE noted.name <> %s)
               OR NOT EXISTS (SELECT 1 FROM games_heartbeat heart
                               WHERE heart.name = %s AND heart.at >= %s AND heart.at <= %s)
  FROM games_game game
 WHERE game.id = %s
""",
    {"game": Game},
    [BooleanField()],
)


logger = logging.getLogger(__name__)


class Outage(NamedTuple):
    """Time in which the sweep did not run."""

    name: str
    began: datetime
    ended: datetime

    @classmethod
    def of(cls, name: str, at: datetime) -> Self:
        """Return the outage of a row with these values."""
        return cls(name, datetime.strptime(name, OUTAGE).replace(tzinfo=UTC), at)


@transaction.atomic
def beat(now: datetime) -> None:
    """Save a beat, and the outage that it ends, if it is late."""
    heart, _new = Heartbeat.objects.select_for_update().get_or_create(name=HEART, defaults={"at": now})
    away = clocks.find_outage(heart.at, now)
    if away is not None:
        began, ended = away
        Heartbeat.objects.create(name=began.astimezone(UTC).strftime(OUTAGE), at=ended)
    if compute_time_ahead(heart.at, now):
        logger.error("The clock went back: the last beat was at %s", heart.at.isoformat())
        _bring_forward(heart.at, now)
    if now > heart.at or compute_time_ahead(heart.at, now):
        heart.at = now
        heart.save(update_fields=["at"])


def _bring_forward(last: datetime, now: datetime) -> None:
    """Let mails be dealt with now that were due at the *last* beat, by the clock as it was then: by the one
    that was set back they would wait."""
    notices = Notice.objects.filter(sent=None, dropped=None, due__lte=last + SKEW, next_try__gt=now)
    notices.update(next_try=now)
    replies = InboundMail.objects.filter(state=MailState.WAITING, next_try__gt=now)
    replies.update(next_try=now)


def set_beat(at: datetime) -> None:
    """Set the time of the last beat, as if the sweep had run all the time until then.

    For whatever moves time itself (simulations, benchmarks, tests), at each step: where time moves without a
    beat, all of it passes for an outage, and nobody is charged for a turn.
    """
    if not Heartbeat.objects.filter(name=HEART).update(at=at):
        Heartbeat.objects.create(name=HEART, at=at)


def compute_time_ahead(at: datetime, now: datetime) -> timedelta:
    """Return how far *at*, a past time, is ahead of *now*; zero within the tolerance for clocks."""
    return at - now if at > now + SKEW else timedelta()


def list_noted_outages() -> list[Outage]:
    """Return the ended outages not yet credited to the games, oldest first."""
    rows = Heartbeat.objects.exclude(name=HEART).order_by("name").values_list("name", "at")
    return [Outage.of(*row) for row in rows]


def list_outages(now: datetime) -> list[Outage]:
    """Return the saved outages, and the current one, if the sweep does not run."""
    last = Heartbeat.objects.filter(name=HEART).values_list("at", flat=True).first()
    lasting = []
    if last is None:
        lasting = [Outage(HEART, LONG_AGO, now)]  # it has never beaten
    elif clocks.find_outage(last, now) is not None:
        lasting = [Outage.of(last.astimezone(UTC).strftime(OUTAGE), now)]
    return list_noted_outages() + lasting


def stands_still(now: datetime) -> bool:
    """Return whether the last beat is so old, or so uncertain, that nobody may lose on time."""
    last = Heartbeat.objects.filter(name=HEART).values_list("at", flat=True).first()
    return last is None or bool(compute_time_ahead(last, now)) or clocks.find_outage(last, now) is not None


def lock_game(game_id: int, now: datetime) -> Game:
    """Lock the row of a game and return it with ``may_have_outage``: whether there may be an outage not yet
    credited to it.

    :raises Game.DoesNotExist: there is none
    """
    adapt = connection.ops.adapt_datetimefield_value
    known = [adapt(now - clocks.OUTAGE), adapt(now + SKEW)]
    lock = " FOR UPDATE OF game" if connection.features.has_select_for_update else ""
    for (game,), (away,) in LOCKED.rows([HEART, HEART, *known, game_id], ending=lock):
        game.may_have_outage = bool(away)
        return cast("Game", game)
    raise Game.DoesNotExist
