"""The turn as the page of a game shows it: the viewer's own, or the tile that somebody else has in hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils import timezone
from django.utils.safestring import SafeString

from games import words
from games.access import is_on_turn, may_resign
from games.models import Status
from games.pages.scene import Scene
from games.pages.scene.picture import EMPTY_LAYER, Miniature, build_miniature
from games.pages.turn.answer_panel import AnswerPanel, build_answer_panel
from games.pages.turn.decision import find_notice_timing, format_standing_answer
from games.pages.turn.hand import Hand, TileChoice, build_hand, compose_asked_turn
from games.play.standstill import Standstill, find_standstill

PLAY_ON = "play"
"""Name in the query string of a board that is played on in a pause."""


class TypedTurn(NamedTuple):
    """Help with typing the turn as a line."""

    answer: str = ""  # one of the answers as a line, where there is a question
    tiles: tuple[TileChoice, ...] = ()  # to choose from, where there are several
    naming: str = ""  # a line that names one of them


class TurnPanel(NamedTuple):
    """The panel of the viewer's turn, or of waiting for it."""

    hand: Hand | None  # the viewer's, when it is their turn to place a tile
    question: AnswerPanel | None  # question to the viewer other than placing a tile
    in_hand: Miniature | None  # somebody else's tile
    holder: str  # name of its owner
    standing_answer: str | None  # the viewer's about Carcassonne
    notice_timing: str | None  # the viewer's timing of notices about this game
    may_resign: bool
    plan_notes: tuple[str, ...]  # remarks on the viewer's plans for this turn
    plan_url: str  # address of the planner for the viewer, who waits
    stands_still: bool  # nothing is to be composed
    play_url: str  # where the viewer, whose turn it is, plays on in a pause
    planned: str  # number of plans, in words

    @property
    def typed(self) -> TypedTurn | None:
        """Help for the viewer with typing, when it is their turn."""
        if self.question:
            return TypedTurn(answer=self.question.example)
        return TypedTurn(tiles=self.hand.tiles, naming=self.hand.naming) if self.hand else None

    @property
    def layer(self) -> SafeString:
        """The layer over the board while the turn is composed."""
        shown = self.hand or self.question
        return shown.layer if shown else EMPTY_LAYER


def build_turn_panel(scene: Scene, asking: Mapping[str, str], line: str = "") -> TurnPanel:
    """Build the turn of *scene* with the legal part of the query *asking*, or of the refused *line*.

    In a game that stands still there is nothing to compose; in a pause, unless the viewer asks for it.
    """
    shown = put = in_hand = None
    standstill = find_standstill(scene.game, timezone.now())
    if standstill is Standstill.PAUSED and (line or set(asking) - {"show"}):
        standstill = None
    on_turn = is_on_turn(scene.me, scene.game)
    if standstill is not None:
        pass
    elif not on_turn:
        drawn = scene.state.drawn  # drawn tiles lie open on the table
        in_hand = build_miniature(drawn) if drawn and scene.game.status == Status.PLAYING else None
    elif scene.played.decision.kind == "place":
        composed, notes = compose_asked_turn(scene.played, asking, line)
        shown = build_hand(scene, scene.played, composed, notes, table=scene.urls.table)
    else:
        put = build_answer_panel(scene, asking, line)
    plans = scene.may_plan
    return TurnPanel(
        hand=shown,
        question=put,
        in_hand=in_hand,
        holder=scene.names[scene.game.awaited] if in_hand and scene.game.awaited is not None else "",
        standing_answer=format_standing_answer(scene),
        notice_timing=find_notice_timing(scene),
        may_resign=may_resign(scene.me, scene.game),
        plan_notes=scene.plan_notes,
        plan_url=scene.urls.plan if plans else "",
        stands_still=standstill is not None,
        play_url=f"{scene.urls.table}?{PLAY_ON}=1" if standstill is Standstill.PAUSED and on_turn else "",
        planned=words.format_plans_made(len(scene.plans)) if plans and scene.plans else "",
    )
