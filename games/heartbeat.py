"""The heart of the site: when the sweep last ran, and the outages whose deadlines are still to be moved.

The beat that ends an outage notes it in a row of its own: ``name`` says when it began, ``at`` when it ended.
The deadlines that fell into it are moved afterwards, in chunks, each a short transaction. One that was moved
lies beyond the outage, so what is left to do is whatever still lies within it, no matter who was killed in
between. The row goes after the last of them; until then nobody loses by a deadline within it.
"""

import time
from datetime import UTC, datetime
from typing import NamedTuple, Self

from django.db import transaction
from django.db.models import F, QuerySet

from games import clocks, outbox
from games.models import Game, Heartbeat, Status

HEART = "sweep"
OUTAGE = "outage %y%m%d%H%M%S"  # when it began, in UTC and whole seconds: a name has room for 20 characters
CHUNK = 200  # deadlines; a transaction of about 50 ms (`python -m benchmarks.outages`)


class Outage(NamedTuple):
    """A time in which the heart stood still."""

    name: str
    began: datetime
    ended: datetime

    @classmethod
    def of(cls, name: str, at: datetime) -> Self:
        """The outage that a row with these values notes."""
        return cls(name, datetime.strptime(name, OUTAGE).replace(tzinfo=UTC), at)

    def holds(self, deadline: datetime) -> bool:
        """Whether *deadline* fell into the outage, so that it is still to be moved."""
        return self.began <= deadline <= self.ended

    def games(self) -> QuerySet[Game]:
        """Those whose deadlines are still to be moved."""
        return Game.objects.filter(status=Status.PLAYING, deadline__gte=self.began, deadline__lte=self.ended)


@transaction.atomic
def beat(now: datetime) -> None:
    """Note that the heart beats, and the outage that this beat ends, if it comes too late."""
    heart, _new = Heartbeat.objects.select_for_update().get_or_create(name=HEART, defaults={"at": now})
    away = clocks.outage(heart.at, now)
    if away is not None:
        began, ended = away
        Heartbeat.objects.create(name=began.astimezone(UTC).strftime(OUTAGE), at=ended)
    if now > heart.at:
        heart.at = now
        heart.save(update_fields=["at"])


def excuses(deadline: datetime | None, now: datetime) -> bool:
    """Whether nobody may lose by *deadline*: the heart stands still, or the deadline fell into an outage and
    is still to be moved."""
    last = None
    for name, at in Heartbeat.objects.values_list("name", "at"):
        if name == HEART:
            last = at
        elif deadline is not None and Outage.of(name, at).holds(deadline):
            return True
    return last is None or clocks.outage(last, now) is not None


def move_deadlines(*, seconds: float) -> bool:
    """Move the deadlines that fell into outages, for about so many *seconds*; whether none is left."""
    stop = time.monotonic() + seconds
    noted = Heartbeat.objects.exclude(name=HEART).order_by("name").values_list("name", "at")
    for outage in [Outage.of(*row) for row in noted]:  # from the oldest, which may push into a later one
        while _move_some(outage):
            if time.monotonic() > stop:
                return False
    return True


@transaction.atomic
def _move_some(outage: Outage) -> bool:
    """Move a chunk of the deadlines within *outage*, or forget it if none is left. Answers whether some may
    be left."""
    # Others who move the same deadlines wait here, so that nobody takes a chunk in their hands for the end.
    note = Heartbeat.objects.select_for_update().filter(name=outage.name).first()
    if note is None:
        return False
    waiting = outage.games().select_for_update().order_by("deadline", "pk")
    games = list(waiting.values_list("pk", flat=True)[:CHUNK])
    if not games and not outage.games().exists():  # not even one that came while we waited for a turn
        note.delete()
        return False
    push = clocks.push_after_outage(outage.began, outage.ended)
    Game.objects.filter(pk__in=games).update(deadline=F("deadline") + push)
    outbox.push_reminders(games, push)
    return True
