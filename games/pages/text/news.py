"""What a page in words says when something has happened."""

from games.pages.parts.status import headline
from games.pages.parts.story import happened
from games.pages.scene import Scene
from games.selectors.moves import recent_moves


def news(scene: Scene, *, after: int) -> str:
    """What has happened in the game after the version *after*, and what it waits for now."""
    return f"{happened(scene, recent_moves(scene.game), after=after)} {headline(scene)}".strip()
