"""How far the viewer had seen a game before this visit, and what has happened that they may not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils import timezone

from games.models import Visit
from games.pages.scene import Scene
from games.selectors.moves import Stored, recent_moves
from games.tables import visits
from games.tables.visits import CurrentVisit


class Seen(NamedTuple):
    """The viewer's visit: which moves they may not know, and whether others have seen theirs."""

    visit: CurrentVisit | None  # none of who is not signed in
    recent: tuple[Stored, ...]  # what a story is told from, oldest first
    turn_seen: bool  # whether the viewer may know that the seat awaited has looked at its turn

    @property
    def since(self) -> int | None:
        """The version that was seen before this visit."""
        return self.visit.since if self.visit else None


def seen(scene: Scene) -> Seen:
    """The present visit of the viewer; two queries at most."""
    rows = _rows(scene)
    now, viewer = timezone.now(), scene.viewer
    visit = visits.current_visit(rows.get(viewer.pk), now) if viewer.is_authenticated else None
    since = visit.since if visit else None
    recent = recent_moves(scene.game, 0 if scene.game.ended else since)
    return Seen(visit, recent, _turn_seen(scene, rows))


def _rows(scene: Scene) -> dict[int, Visit]:
    """The viewer's visit; for the players also that of the seat awaited, if its player lets others see it."""
    game = scene.game
    if not scene.viewer.is_authenticated:
        return {}
    awaited = None if scene.me is None or game.awaited is None else scene.seats[game.awaited].player
    return visits.rows(game, {scene.viewer.pk} | ({awaited.pk} if awaited and awaited.shows_looks else set()))


def _turn_seen(scene: Scene, rows: Mapping[int, Visit]) -> bool:
    """Whether the viewer may know that somebody else has seen the turn that is awaited."""
    game, me = scene.game, scene.me
    if game.awaited is None or me is None or me.index == game.awaited or scene.seats[game.awaited].left:
        return False
    visit = rows.get(scene.seats[game.awaited].player_id or 0)
    return visit is not None and visit.seen >= game.turn_version
