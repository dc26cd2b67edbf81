"""The page of a game that has begun, for one viewer: a list of named parts, each made by its own module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.pages.inspection.layers import Inspection, Target, build_inspection
from games.pages.parts.chat import Talk, load_talks
from games.pages.parts.ending import EndingPanel, build_ending
from games.pages.parts.follow import find_following
from games.pages.parts.game_actions import GameActions, build_game_actions
from games.pages.parts.game_rules import GameRules, build_game_rules
from games.pages.parts.next_game import NextGame, find_next_game
from games.pages.parts.notes import Notepad, load_note
from games.pages.parts.seats import QuarterCard, SeatCard, build_quarters, build_seat_cards
from games.pages.parts.status import StatusLine, build_status_line
from games.pages.parts.story import Story, build_story, format_events
from games.pages.parts.tiles_left import TilesLeft, build_tiles_left
from games.pages.parts.visit import ViewerVisit, load_viewer_visit
from games.pages.scene import Scene
from games.pages.turn.panel import TurnPanel, build_turn_panel

if TYPE_CHECKING:
    from games.models import Game
    from games.pages.scene.addresses import Steps, Urls
    from games.pages.scene.picture import Map
    from games.selectors.contests import GameContest


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The parts of the page, from top to bottom."""

    scene: Scene
    status: StatusLine
    next: NextGame
    seats: tuple[SeatCard, ...]
    map: Map
    inspection: Inspection
    steps: Steps
    turn: TurnPanel
    at_table: GameActions  # acts that are possible besides turns
    ending: EndingPanel | None  # when the game is over
    quarters: tuple[QuarterCard, ...]  # of Carcassonne
    story: Story
    tiles_left: TilesLeft
    talks: tuple[Talk, ...]
    note: Notepad | None  # the viewer's, about the game as a whole
    rules: GameRules
    seen: ViewerVisit
    following: bool | None  # whether the viewer follows it; none if they may not
    contest: GameContest | None

    @property
    def game(self) -> Game:
        return self.scene.game

    @property
    def urls(self) -> Urls:
        return self.scene.urls


def build_board_page(
    scene: Scene,
    asking: Mapping[str, str],
    *,
    line: str = "",
    refused: str = "",
    sent: str = "",
    target: Target | None = None,
    after: int | None = None,
) -> BoardPage:
    """Build the page of a game that has begun.

    *asking* is the query string as a mapping, *line* a refused turn in notation: what is legal of them is
    shown on the board again. *refused* says why something was refused, *sent* that a turn was played.
    *target* is the place inspected, *after* the version that the page showed before.

    :raises NothingThere: at *target*
    """
    known = load_viewer_visit(scene)
    story = build_story(scene, known.recent, known.since)
    turn = build_turn_panel(scene, asking, line)
    talked = load_talks(scene)
    ending = build_ending(scene, known.recent)
    news = "" if after is None else format_events(scene, known.recent, after=after)
    return BoardPage(
        scene=scene,
        status=build_status_line(
            scene, max(talk.last for talk in talked), refused=refused, sent=sent, news=news
        ),
        next=find_next_game(scene),
        seats=build_seat_cards(scene, turn_seen=known.turn_seen),
        map=ending.map if ending else scene.map(turn.layer, story.placements),
        inspection=build_inspection(scene, asking.get("show", ""), target),
        steps=scene.steps(),
        turn=turn,
        at_table=build_game_actions(scene, known.recent),
        ending=ending,
        quarters=build_quarters(scene),
        story=story,
        tiles_left=build_tiles_left(scene),
        talks=talked,
        note=load_note(scene.game, scene.viewer),
        rules=build_game_rules(scene.game),
        seen=known,
        following=find_following(scene),
        contest=scene.contest,
    )
