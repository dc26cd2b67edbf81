"""The news of a page in words when something has happened."""

from games.pages.parts.status import format_headline
from games.pages.parts.story import format_events
from games.pages.scene import Scene
from games.selectors.moves import load_recent_moves


def format_news(scene: Scene, *, after: int) -> str:
    """Say what has happened in the game after the version *after*, and what it waits for now."""
    return (
        f"{format_events(scene, load_recent_moves(scene.game), after=after)} {format_headline(scene)}".strip()
    )
