"""Queues of the moderators' desk, each one query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.models import Channel, Game, Notice, Status
from games.models.notice import FAILED
from games.selectors.waiting import find_games_without_deadline

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SHOWN = 20
"""Maximum number of entries of a queue on the desk; the others follow when these are done."""

STUCK_AFTER = timedelta(hours=1)
"""Time after which overdue work counts as stuck; the beat should have done it by then."""


class QueueEntry(NamedTuple):
    """An entry of a queue."""

    what: str
    since: datetime | None
    url: str = ""  # empty: that of the game at the desk
    code: str = ""  # of the game
    hidden_from: frozenset[int] = frozenset()  # keys of moderators with an interest in it


class Queue(NamedTuple):
    """A queue; ``find`` returns at most :data:`SHOWN` entries and one more, the oldest first."""

    slug: str
    title: StrOrPromise
    about: StrOrPromise
    find: Callable[[datetime], Sequence[QueueEntry]]


def _select_overdue_games(now: datetime) -> QuerySet[Game]:
    late = Game.objects.filter(status=Status.PLAYING, deadline__lt=now - STUCK_AFTER)
    return late.order_by("deadline")


def _select_unscored_games(now: datetime) -> QuerySet[Game]:
    waiting = Game.objects.filter(status=Status.SCORING, turn_began__lt=now - STUCK_AFTER)
    return waiting.order_by("turn_began")


def _bots(now: datetime) -> QuerySet[Game]:
    still = find_games_without_deadline().filter(turn_began__lt=now - STUCK_AFTER)
    return still.filter(Q(by_program=True) | Q(settles__lt=now - STUCK_AFTER)).order_by("turn_began")


def _standing(now: datetime) -> QuerySet[Game]:
    return find_games_without_deadline().filter(Q(by_program=None), settles=None).order_by("turn_began")


def _unsent(now: datetime) -> Sequence[QueueEntry]:
    failing = Notice.objects.filter(sent=None, dropped=None, attempts__gte=FAILED).order_by("created")
    failing = failing.filter(channel=Channel.EMAIL)  # other channels depend on their owners
    rows = failing.values_list("game__name", "kind", "created", "game__code")
    return [
        QueueEntry(f"{name}: {kind}", created, code=code) for name, kind, created, code in rows[: SHOWN + 1]
    ]


def _games(
    find: Callable[[datetime], QuerySet[Game]], since: str
) -> Callable[[datetime], Sequence[QueueEntry]]:
    def list_entries(now: datetime) -> Sequence[QueueEntry]:
        rows = find(now).values_list("name", since, "code")[: SHOWN + 1]
        return [QueueEntry(name, at, code=code) for name, at, code in rows]

    return list_entries


STUCK = (
    Queue(
        "overdue",
        _("Deadline long past"),
        _("The beat should have acted on the time-out."),
        _games(_select_overdue_games, "deadline"),
    ),
    Queue(
        "bots",
        _("A bot isn't moving"),
        _("The house bot should have played."),
        _games(_bots, "turn_began"),
    ),
    Queue(
        "scoring",
        _("The final scoring is missing"),
        _("The last tile is placed, and nothing has been counted."),
        _games(_select_unscored_games, "turn_began"),
    ),
    Queue(
        "standing",
        _("No clock is running"),
        _("Stopped by a moderator without an end, or without a deadline."),
        _games(_standing, "turn_began"),
    ),
    Queue(
        "unsent", _("Emails that can't be sent"), _("No one loses on time while these are waiting."), _unsent
    ),
)
