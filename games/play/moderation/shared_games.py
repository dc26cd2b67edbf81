"""Stops of the games of a moderator and a player whom they suspend in their own matters, so that nobody gains
by the time that the other can't use."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import Player
from games.exceptions import Refused
from games.models import ActKind, Game, ModerationAct, Sanction, Seat, Status
from games.play import timing
from games.play.moderation.base import ActTerms, ModerationContext, ModerationRequest, moderation_act
from games.play.moderation.pauses import resume_from, stop_from


def stop_shared_games(suspension: Sanction) -> None:
    """Stop the running games of the suspended player and the moderator until *suspension* ends."""
    shared = _find_games(suspension.player).filter(pk__in=_find_games(suspension.who))
    for game in shared.order_by("pk"):
        with suppress(Refused):  # it has just ended
            _stop(_build_request(game, suspension.who, suspension.begun), suspension)


def follow_suspension(suspension: Sanction, who: Player, now: datetime) -> None:
    """Let these stops end with *suspension*, whose end *who* has changed."""
    ends_later = suspension.lifted is None and suspension.ends is not None and suspension.ends > now
    act = _stop if ends_later else _end_stop
    for game in _find_games(suspension.player).order_by("pk"):
        holds = [stop for stop in timing.read_stops(game) if stop.cause == timing.HOLD and stop.end > now]
        if any(stop.begin == suspension.begun for stop in holds):
            with suppress(Refused):  # it has just ended
                act(_build_request(game, who, now), suspension)


def _find_games(player: Player) -> QuerySet[Game]:
    seats = Seat.objects.filter(player=player, ended=None).values("game")
    return Game.objects.filter(status=Status.PLAYING, pk__in=seats)


def _build_request(game: Game, who: Player, now: datetime) -> ModerationRequest:
    with translation.override(settings.LANGUAGE_CODE):
        reason = _("One of the players can't play for now.")
    return ModerationRequest(game.pk, who, reason, now)


@moderation_act(ActKind.PAUSE, ActTerms.CONSEQUENCE)
def _stop(opened: ModerationContext, suspension: Sanction) -> None:
    opened.must_be_played()
    stop_from(opened, suspension.begun, suspension.ends)


@moderation_act(ActKind.RESUME, ActTerms.CONSEQUENCE)
def _end_stop(opened: ModerationContext, suspension: Sanction) -> ModerationAct | None:
    opened.must_be_played()
    return resume_from(opened, suspension.begun)
