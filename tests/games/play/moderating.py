"""Moderators and their requests."""

from datetime import datetime, timedelta
from typing import Any

from accounts.models import Player
from games.models import Game
from games.play.moderation import ModerationRequest
from tests.games.factories import NOW, make_player

LATER = NOW + timedelta(hours=5)


def make_moderator(name: str = "Mira") -> Player:
    known = Player.objects.filter(username=name).first()
    return known or make_player(name, is_staff=True, is_superuser=True)


def asked(game: Game, who: Player | None = None, now: datetime = LATER, **more: Any) -> ModerationRequest:
    """Build a moderator's request about *game*, with its version in the database."""
    known = Player.objects.filter(username="Mira").first()
    version = Game.objects.values_list("version", flat=True).get(pk=game.pk)
    given = {"reason": "A double account.", "expected_version": version, **more}
    return ModerationRequest(game.pk, who or known or make_moderator(), now=now, **given)
