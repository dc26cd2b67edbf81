"""The viewer's visit to a game: the moves that are new to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils import timezone

from games.access import get_viewer_context
from games.models import Visit
from games.pages.scene import Scene
from games.selectors.moves import Stored, load_recent_moves
from games.tables import visits
from games.tables.visits import UNKNOWING, CurrentVisit


class ViewerVisit(NamedTuple):
    """The viewer's visit: the moves that are new to them, and whether others have seen theirs."""

    visit: CurrentVisit | None  # none of who is not signed in
    recent: tuple[Stored, ...]  # what a story is told from, oldest first
    turn_seen: bool  # whether the viewer may know that the seat awaited has looked at its turn

    played: bool  # whether nothing has happened since a turn of the viewer's own

    @property
    def since(self) -> int | None:
        """The version that was seen before this visit."""
        return self.visit.since if self.visit else None


def load_viewer_visit(scene: Scene) -> ViewerVisit:
    """The present visit of the viewer; two queries at most."""
    rows = _rows(scene)
    now, viewer = timezone.now(), scene.viewer
    visit = visits.build_current_visit(rows.get(viewer.pk), now) if viewer.is_authenticated else None
    since = visit.since if visit else None
    recent = load_recent_moves(scene.game, 0 if scene.game.ended else since)
    return ViewerVisit(visit, recent, _turn_seen(scene, rows), _played_last(scene, recent))


def _rows(scene: Scene) -> dict[int, Visit]:
    """Load the visits of the viewer and, if the viewer plays here and may know, of the player awaited."""
    game = scene.game
    if not scene.viewer.is_authenticated:
        return {}
    awaited = None if scene.me is None or game.awaited is None else scene.seats[game.awaited].player
    asked = {awaited.pk} if awaited and awaited.shows_looks else set()
    known = get_viewer_context(scene.viewer, game)
    if known is None or not asked <= {scene.viewer.pk}:
        return visits.load_visits(game, {scene.viewer.pk} | asked)
    return {} if known.visit is None else {known.visit.player_id: known.visit}


def _played_last(scene: Scene, recent: Sequence[Stored]) -> bool:
    """Return whether only draws followed a turn of the viewer, who is not awaited."""
    if scene.me is None or scene.game.awaited == scene.me.index:
        return False
    for move in reversed(recent):
        if not all(event["type"] == "drawn" for event in move["events"]) or move["seat"] is not None:
            own = move["seat"] == scene.me.index and move["ply"] is not None
            return own and move["how"] not in UNKNOWING
    return False


def _turn_seen(scene: Scene, rows: Mapping[int, Visit]) -> bool:
    """Return whether another player has seen the turn that is awaited, and the viewer may know."""
    game, me = scene.game, scene.me
    if game.awaited is None or me is None or me.index == game.awaited or scene.seats[game.awaited].left:
        return False
    visit = rows.get(scene.seats[game.awaited].player_id or 0)
    return visit is not None and visit.seen >= game.turn_version
