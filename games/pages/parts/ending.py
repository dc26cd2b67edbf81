"""The panel in the turn's place when a game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from games.models import Game, Status
from games.pages.parts.score_sheet import build_sheet, draw_sheet_chart, list_unplayed_scoring
from games.pages.parts.story import StoryEntry, build_final_scoring
from games.pages.scene import Scene
from games.selectors.moves import Stored


class EndingPanel(NamedTuple):
    """The result of a game, and the rematch."""

    told: tuple[StoryEntry, ...]  # each seat's points in the final scoring
    chart: SafeString  # of the scores
    may_rematch: bool
    rematch: Game | None


def build_ending(scene: Scene, moves: Sequence[Stored]) -> EndingPanel | None:
    """Build the panel of a game that is over, from all its *moves*; ``None`` before that."""
    game = scene.game
    if not game.ended:
        return None
    scored = [(move["ply"], move["events"]) for move in moves] + list(list_unplayed_scoring(scene))
    return EndingPanel(
        told=build_final_scoring(scene, moves),
        chart=draw_sheet_chart(build_sheet(scored, scene.seats), scene.seats, game.ply)
        if scored
        else SafeString(),
        may_rematch=scene.me is not None and game.started is not None,
        rematch=game.rematches.exclude(status=Status.ABORTED).first(),
    )
