"""The viewer as a follower of a game."""

from __future__ import annotations

from games import access
from games.models import FollowedGame
from games.pages.scene import Scene


def find_following(scene: Scene) -> bool | None:
    """Return whether the viewer follows the game; ``None`` if they neither do nor may. At most one query."""
    game, viewer = scene.game, scene.viewer
    if not viewer.is_authenticated or scene.me is not None:
        return None
    on = FollowedGame.objects.filter(game=game, player=viewer).exists()
    return on if on or access.may_follow(viewer, game, seated=False) else None
