"""Whether the viewer follows a game, and how that is changed."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse

from games import access
from games.models import FollowedGame
from games.pages.scene import Scene


class Follow(NamedTuple):
    """A switch."""

    url: str
    on: bool


def follow(scene: Scene) -> Follow | None:
    """The switch for whoever may follow the game, or does; at most one query."""
    game, viewer = scene.game, scene.viewer
    if not viewer.is_authenticated or scene.me is not None:
        return None
    on = FollowedGame.objects.filter(game=game, player=viewer).exists()
    if not on and not access.may_follow(viewer, game, seated=False):
        return None
    return Follow(reverse("games:follow", args=[game.code]), on)
