"""Sanctions at the desk: what the viewer may do about one, and what a new one would do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from django.db.models import F, QuerySet

from accounts.interests import Recusal
from accounts.models import Player
from games.conduct.interests import find_recusal_from
from games.models import Game, Holiday, Sanction, Seat, Status
from moderation.acts import sanctions
from moderation.interests import find_recusal_from_appeal
from moderation.models import Appeal

NAMED = 12
"""Maximum number of games that a preview names."""


class SanctionPowers(NamedTuple):
    """Permissions of a moderator for a sanction."""

    may_lift: bool
    may_answer: bool
    recused: Recusal | None  # what keeps them from it, or is marked in the log if they do it nevertheless


def find_powers(sanction: Sanction, viewer: Player, now: datetime) -> SanctionPowers:
    """Find what *viewer* may do about *sanction*, loaded with its appeal."""
    appeal: Appeal | None = getattr(sanction, "appeal", None)
    if not sanctions.may_reach(viewer, sanction.player):
        return SanctionPowers(may_lift=False, may_answer=False, recused=None)
    lifting = answering = None
    may_lift, may_answer = sanction.in_force(now), False
    if may_lift:
        opened = sanctions.find_case_opening(sanction)
        lifting = find_recusal_from(viewer, sanction.player, opened=opened)
        may_lift = lifting is None or lifting.may_act
    if appeal is not None and appeal.answered is None:
        answering = find_recusal_from_appeal(viewer, appeal)
        may_answer = sanction.who_id != viewer.pk and (answering is None or answering.may_act)
    kept = [recusal for recusal in (lifting, answering) if recusal is not None]
    return SanctionPowers(
        may_lift=may_lift,
        may_answer=may_answer,
        recused=min(kept, key=lambda recusal: recusal.may_act, default=None),
    )


@dataclass(frozen=True)
class SanctionEffects:
    """Effects of a new sanction of *player* on their games, tables and holidays, counted when it is asked
    for."""

    player: Player
    now: datetime

    @cached_property
    def waiting(self) -> list[str]:
        """The names of games that wait for them, at most ``NAMED``."""
        return list(self._waiting.order_by("deadline").values_list("name", flat=True)[:NAMED])

    @property
    def number_waiting(self) -> int:
        return self._waiting.count() if len(self.waiting) == NAMED else len(self.waiting)

    @property
    def _waiting(self) -> QuerySet[Game]:
        seats = {"seats__player": self.player, "seats__index": F("awaited"), "seats__state": "playing"}
        return Game.objects.filter(status=Status.PLAYING, **seats)

    def number_hosted(self) -> int:
        """The number of own tables that a suspension closes."""
        return Game.objects.filter(host=self.player, status=Status.OPEN).count()

    def number_seats(self) -> int:
        """The number of seats at others' tables that a suspension makes free."""
        seats = Seat.objects.filter(player=self.player, game__status=Status.OPEN)
        return seats.exclude(game__host=self.player).count()

    @cached_property
    def number_holidays(self) -> int:
        """The number of holidays that a suspension cancels."""
        return Holiday.objects.filter(player=self.player, begin__gt=self.now).count()
