"""Measures in force: warnings, mutes and suspensions, and stopped games."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import Player
from games import access, clocks
from games.models import ActKind, Game, ModerationAct, Move, Sanction, Seat, Status
from games.play import timing

A_PAGE = 50
MOST_STOPPED = 200


class Stopped(NamedTuple):
    """A stopped game, until *ends* if that is known."""

    game: Game
    since: datetime
    ends: datetime | None


def find_sanctions_in_force(viewer: Player, now: datetime) -> QuerySet[Sanction]:
    """Return the sanctions in force, sorted by their end; last the warnings that nobody has read yet. None of
    *viewer*, a moderator."""
    sanctions = Sanction.objects.all().in_force(now).exclude(player=viewer).filter(player__closed=None)
    return sanctions.select_related("player", "who").order_by(F("ends").asc(nulls_last=True), "pk")


def find_stopped_games(viewer: Player, now: datetime) -> list[Stopped]:
    """Return the stopped games that *viewer* may moderate, sorted by their end; one query. At most
    ``MOST_STOPPED``, those stopped last."""
    until = Q(after__held_until=None) | Q(after__held_until__gt=now.isoformat())
    pauses = ModerationAct.objects.filter(until, kind=ActKind.PAUSE, undone_by=None)
    last = pauses.filter(game=OuterRef("pk")).order_by("-pk").values("at")[:1]
    gone = Move.objects.filter(game=OuterRef("pk"), action__gone=viewer.pk)
    running = Game.objects.filter(
        access.build_unsealed_filter(viewer),
        ~Exists(gone),
        status=Status.PLAYING,
        pk__in=pauses.order_by().values("game"),
    ).exclude(pk__in=Seat.objects.filter(player=viewer).values("game"))
    stopped = []
    for game in running.annotate(stopped_at=Subquery(last)).order_by("-stopped_at")[:MOST_STOPPED]:
        hold = timing.find_hold(game, now)
        if hold is not None:
            stopped.append(Stopped(game, hold.begin, None if hold.end == clocks.FOREVER else hold.end))
    return sorted(stopped, key=lambda stop: (stop.ends is None, stop.ends or now, stop.game.pk))
