"""The switch by which the viewer follows a game, or no longer does."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse

from games import access
from games.models import FollowedGame
from games.pages.scene import Scene


class FollowSwitch(NamedTuple):
    url: str
    on: bool


def build_follow_switch(scene: Scene) -> FollowSwitch | None:
    """Build the switch if the viewer may follow the game, or does. At most one query."""
    game, viewer = scene.game, scene.viewer
    if not viewer.is_authenticated or scene.me is not None:
        return None
    on = FollowedGame.objects.filter(game=game, player=viewer).exists()
    if not on and not access.may_follow(viewer, game, seated=False):
        return None
    return FollowSwitch(reverse("games:follow", args=[game.code]), on)
