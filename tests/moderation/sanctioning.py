"""Players who are warned, muted and suspended, and moderators."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import Group

from accounts.models import Player
from accounts.roles import MODERATOR
from games.models import Sanction, SanctionKind
from moderation.acts import sanctions
from moderation.acts.sanctions import SanctionRequest
from tests.games.factories import NOW, make_player

DAY = timedelta(days=1)


def moderator(name: str = "Mira") -> Player:
    """Get or create a member of the group of moderators."""
    known = Player.objects.filter(username=name).first()
    if known is not None:
        return known
    player = make_player(name, is_staff=True)
    player.groups.add(Group.objects.get(name=MODERATOR))
    return player


def asked(player: Player, now: datetime = NOW, who: Player | None = None, **more: Any) -> SanctionRequest:
    given = {"reason": "Reported twice.", "template": "insults", "again": True, **more}
    return SanctionRequest(player, who or moderator(), now=now, **given)


def warned(player: Player, now: datetime = NOW, **more: Any) -> Sanction:
    return sanctions.impose(SanctionKind.WARNING, asked(player, now, **more))


def mute(player: Player, now: datetime = NOW, days: float = 7, **more: Any) -> Sanction:
    return sanctions.impose(SanctionKind.MUTE, asked(player, now, **more), now + days * DAY)


def suspend(player: Player, now: datetime = NOW, days: float = 7, **more: Any) -> Sanction:
    return sanctions.impose(SanctionKind.SUSPENSION, asked(player, now, **more), now + days * DAY)
